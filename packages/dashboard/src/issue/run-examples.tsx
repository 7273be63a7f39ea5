import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { IssueDetail, TraceRow } from "@whytrace/contract";
import type { ReactNode } from "react";
import { RANGES, type RangeName } from "../client/time-ranges.ts";
import { paths } from "../paths.ts";
import { tracesQuery } from "../traces/traces-query.ts";
import { formatCost, formatDuration } from "../ui/format/format.ts";
import { Panel } from "../ui/panel.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { issueTraces } from "./issue-traces.ts";

interface RunExamplesProps {
  issue: IssueDetail;
  range: RangeName | undefined;
}

/** Three runs that are worth a look, and the way to all. */
export function RunExamples({ issue, range = "30d" }: RunExamplesProps) {
  const { number, runs, examples, lastSeen } = issue;
  // Figures of those examples that are among the newest runs.
  const { data } = useQuery(tracesQuery({ issue: String(number), limit: "100" }));
  const rowOf = (id: string) => data?.traces.find((trace) => trace.id === id);
  const words = `${runs.toLocaleString("en")} in ${RANGES[range].label}`;
  return (
    <Panel
      title="Runs"
      note={words}
      legend={
        runs > 0 && (
          <Link to={paths.traces} search={issueTraces(issue)} className="text-accent hover:underline">
            {runs === 1 ? "The trace" : `All ${runs.toLocaleString("en")} traces`}
          </Link>
        )
      }
    >
      {examples === null ? (
        <p className="p-3 text-muted">
          All runs of this issue were deleted. It stays because somebody worked on it.
        </p>
      ) : examples.newest === examples.shortest && examples.newest === examples.cheapest && runs <= 1 ? (
        <Example title="The only run so far" id={examples.newest} row={rowOf(examples.newest)}>
          {lastSeen !== null && <RelativeTime instant={lastSeen} />}
        </Example>
      ) : (
        <div className="grid grid-cols-3 divide-x divide-line max-sm:grid-cols-1 max-sm:divide-x-0 max-sm:divide-y">
          <Example title="Newest" id={examples.newest} row={rowOf(examples.newest)}>
            {lastSeen !== null && <RelativeTime instant={lastSeen} />}
          </Example>
          <Example title="Shortest" id={examples.shortest} row={rowOf(examples.shortest)}>
            {formatDuration(rowOf(examples.shortest)?.totalDuration ?? null)}
          </Example>
          <Example title="Cheapest" id={examples.cheapest} row={rowOf(examples.cheapest)}>
            {formatCost(rowOf(examples.cheapest)?.totalCost ?? null)}
          </Example>
        </div>
      )}
      {runs === 0 && examples !== null && (
        <p className="border-t border-line p-3 text-muted">
          No run in the last {RANGES[range].label}: these are older.
        </p>
      )}
    </Panel>
  );
}

interface ExampleProps {
  title: string;
  id: string;
  row: TraceRow | undefined;
  children: ReactNode;
}

function Example({ title, id, row, children }: ExampleProps) {
  return (
    <Link
      to={paths.trace}
      params={{ id }}
      search={{ tab: "why" }}
      className="grid min-w-0 content-start gap-0.5 p-3 -outline-offset-2 hover:bg-panel"
    >
      <span className="text-xs text-muted">{title}</span>
      <span className="font-semibold">{children}</span>
      <span className="truncate text-xs text-muted">
        {row
          ? [formatDuration(row.totalDuration), formatCost(row.totalCost), `${row._count.spans} spans`].join(
              " · ",
            )
          : id}
      </span>
    </Link>
  );
}
