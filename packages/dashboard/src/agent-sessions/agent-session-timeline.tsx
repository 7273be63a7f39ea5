import { Link } from "@tanstack/react-router";
import type { TraceRow } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { OutcomeBadge } from "../scores/outcome-badge.tsx";
import { formatDuration } from "../ui/format/format.ts";
import { StatusIcon } from "../ui/status.tsx";
import { foldGaps } from "./fold-gaps.ts";

/** By outcome; a trace that is bad need not have an error. */
const TINTS = {
  open: "bg-running/75",
  good: "bg-agent/75",
  unknown: "bg-agent/75",
  bad: "bg-error/75",
} as const;
const OUTCOMES = { RUNNING: "open", COMPLETED: "good", ERROR: "bad" } as const;

/** An agent session's traces on a timeline. Long idle gaps between them are folded and labelled. */
export function AgentSessionTimeline({ traces }: { traces: TraceRow[] }) {
  const positioned = foldGaps(traces.map(intervalOf));
  return (
    <ol aria-label="Timeline" className="grid grid-cols-[minmax(0,1fr)] py-2">
      {traces.map((trace, i) => {
        const { startPercent = 0, widthPercent = 0, foldedMs = null } = positioned[i] ?? {};
        return (
          <li key={trace.id} className="grid grid-cols-[minmax(0,1fr)]">
            {foldedMs !== null && (
              <p className="flex h-7 items-center gap-3 px-4 text-xs text-muted">
                <span>{formatDuration(foldedMs)} idle</span>
                <span aria-hidden="true" className="flex-1 border-t border-dashed border-control/60" />
              </p>
            )}
            <Link
              to={paths.trace}
              params={{ id: trace.id }}
              data-row
              className="grid min-h-9 grid-cols-[minmax(0,1fr)_minmax(0,2fr)] items-center gap-x-4 px-4 hover:bg-panel focus-visible:-outline-offset-2 max-md:min-h-14 max-md:grid-cols-[minmax(0,1fr)] max-md:content-center max-md:gap-y-1.5"
            >
              <span className="flex min-w-0 items-center gap-2">
                <StatusIcon status={trace.status} />
                <span className="truncate font-medium" title={trace.name}>
                  {trace.name}
                </span>
                <OutcomeBadge status={trace.status} outcome={trace.outcome} />
                <span className="ml-auto whitespace-nowrap text-muted tabular-nums">
                  {formatDuration(trace.totalDuration)}
                </span>
              </span>
              <span aria-hidden="true" className="relative block h-2.5 rounded-[3px] bg-sunken/60">
                <span
                  className={`absolute inset-y-0 min-w-1 rounded-[3px] ${TINTS[trace.outcome ?? OUTCOMES[trace.status]]}`}
                  style={{ left: `min(${startPercent}%, 100% - 4px)`, width: `${widthPercent}%` }}
                />
              </span>
            </Link>
          </li>
        );
      })}
    </ol>
  );
}

/** Uses the duration if the end is missing; if both are missing, the interval is empty. */
function intervalOf({ startedAt, endedAt, totalDuration }: TraceRow) {
  const startMs = Date.parse(startedAt);
  const endMs = endedAt ? Date.parse(endedAt) : startMs + (totalDuration ?? 0);
  return { startMs, endMs: Math.max(startMs, endMs) };
}
