import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { useDebounced } from "../../ui/hooks/use-debounced.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonLine } from "../../ui/skeleton.tsx";
import type { RuleFields, RulePreview } from "../model/alert-types.ts";
import { previewQuery } from "../model/alerts-queries.ts";
import { minutesWords, ruleValue } from "../model/rule-words.ts";
import { PreviewChart } from "./preview-chart.tsx";
import { type RuleDraft, toFields } from "./rule-draft.ts";

/** At most 10 previews a minute are computed. */
const DEBOUNCE_MS = 600;

interface RulePreviewPanelProps {
  draft: RuleDraft;
  isComplete: boolean;
}

/** What the rule would have done in the last 30 days, drawn again while one types. */
export function RulePreviewPanel({ draft, isComplete }: RulePreviewPanelProps) {
  // Whom a rule tells, and its name, do not change when it fires.
  const {
    channels: _channels,
    mail: _mail,
    renotifyHours: _hours,
    severity: _severity,
    ...condition
  } = toFields(draft);
  const current = JSON.stringify({ ...condition, name: "preview" });
  const settled = useDebounced(current, DEBOUNCE_MS);
  const rule: RuleFields = JSON.parse(settled);
  const preview = useQuery({ ...previewQuery(rule), enabled: isComplete && settled === current });
  if (!isComplete)
    return <p className="text-muted">Choose an agent and a limit to see what the rule would have done.</p>;
  return (
    <div aria-busy={preview.isFetching} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <QueryResult query={preview} skeleton={<PreviewSkeleton />}>
        {(data) => <Preview rule={rule} preview={data} />}
      </QueryResult>
    </div>
  );
}

/** The sentence, the chart and a row of times when the rule would have fired. */
const PreviewSkeleton = () => (
  <div
    role="status"
    aria-label="Loading"
    data-skeleton
    className="grid animate-[fade-in_0s_150ms_both] gap-2 text-lg"
  >
    <SkeletonLine className="w-72" />
    <div className="h-50 rounded bg-sunken motion-safe:animate-pulse" />
    <div className="flex h-8 items-center max-sm:h-11">
      <SkeletonLine className="w-48" />
    </div>
    <SkeletonLine className="w-64" />
  </div>
);

function Preview({ rule, preview }: { rule: RuleFields; preview: RulePreview }) {
  const { wouldHaveFired, firings, baseline, lagMinutes, reason, from, to } = preview;
  const days = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000));
  if (reason !== null)
    return (
      <p className="text-muted">
        Nothing can be said yet: <span className="text-text">{reason}</span>.
      </p>
    );
  return (
    <>
      <p aria-live="polite" className="text-lg">
        Would have fired{" "}
        <b className={`font-semibold ${wouldHaveFired > 0 ? "text-error" : ""}`}>
          {wouldHaveFired === 0 ? "never" : wouldHaveFired === 1 ? "once" : `${wouldHaveFired} times`}
        </b>{" "}
        in the last {days} days.
      </p>
      {baseline && (
        <p className="text-xs text-muted">
          Usual: {formatPercent(baseline.rate)} of {baseline.runs.toLocaleString("en")} runs
          {baseline.overdispersion > 1.05 &&
            `; windows differ ${baseline.overdispersion.toFixed(1)} times as much as by chance`}
          .
        </p>
      )}
      <PreviewChart kind={rule.kind} preview={preview} />
      {firings.length > 0 && (
        <ol className="flex flex-wrap gap-2">
          {firings.slice(0, 12).map((firing, index) => (
            <li key={firing.from}>
              <Link
                to={paths.traces}
                search={{
                  ...(rule.agent && { agent: rule.agent, decided: "any" as const }),
                  ...(rule.kind === "failure_rate" && { outcome: "bad" as const }),
                  startedFrom: firing.from,
                  startedTo: firing.to ?? to,
                }}
                className="inline-flex min-h-8 items-center gap-2 rounded-md border border-line px-2.5 text-xs hover:bg-panel max-sm:min-h-11"
              >
                <b className="text-error">{index + 1}</b>
                {shortTime(firing.from)},{" "}
                {firing.to === null ? "still firing" : minutesWords(lengthMinutes(firing.from, firing.to))}
                {firing.peak !== null && `, up to ${ruleValue(rule.kind, firing.peak)}`}
              </Link>
            </li>
          ))}
        </ol>
      )}
      {lagMinutes > 0 && (
        <p className="text-xs text-muted">
          Runs count when they ended: windows end {minutesWords(lagMinutes)} before now.
          {(rule.windowMinutes ?? 60) < 2 * lagMinutes &&
            ` Runs of this agent take up to ${minutesWords(lagMinutes)}. Choose a window of ${minutesWords(2 * lagMinutes)} or more.`}
        </p>
      )}
    </>
  );
}

const lengthMinutes = (from: string, to: string) =>
  Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 60_000));

const shortTime = (instant: string) =>
  new Date(instant).toLocaleString("en-GB", {
    timeZone: "UTC",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
