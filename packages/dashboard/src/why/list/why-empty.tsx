import type { WhyList } from "@whytrace/contract";
import { RANGE_NAMES, RANGES, type RangeName } from "../../client/time-ranges.ts";
import { paths } from "../../paths.ts";
import { FirstSteps } from "../../shell/first-steps.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { EmptyState } from "../../ui/notice.tsx";

interface WhyEmptyProps {
  list: WhyList;
  range: RangeName;
  onRange: (range: RangeName) => void;
}

const DATE = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** There is no decision in the time range: says when the last one was, and leads to it. */
export function WhyEmpty({ list: { agent, lastDecisionAt }, range, onRange }: WhyEmptyProps) {
  if (lastDecisionAt === null)
    return (
      <EmptyState title={agent === null ? "No decisions yet" : `No decisions of ${agent}`}>
        <p>
          Why compares what your agent chose with what else it could have chosen in the same situation. Send
          decision points, or calls of tools by OpenTelemetry, to see here which choices explain failures.
        </p>
        <FirstSteps path={paths.why} />
      </EmptyState>
    );
  const ageMs = Date.now() - Date.parse(lastDecisionAt);
  const wider = RANGE_NAMES.slice(RANGE_NAMES.indexOf(range) + 1);
  const next = wider.find((name) => RANGES[name].lengthMs > ageMs) ?? wider.at(-1);
  return (
    <EmptyState title={`No decisions${agent === null ? "" : ` of ${agent}`} in these ${RANGES[range].label}`}>
      <p>The last one was made on {DATE.format(Date.parse(lastDecisionAt))} UTC.</p>
      {next && <Button onClick={() => onRange(next)}>Show {RANGES[next].label}</Button>}
    </EmptyState>
  );
}
