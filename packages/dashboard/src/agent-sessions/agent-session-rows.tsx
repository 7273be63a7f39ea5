import { Link } from "@tanstack/react-router";
import type { AgentSession } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { OutcomeBadge } from "../scores/outcome-badge.tsx";
import { formatCost, formatCount, formatDuration, formatExact } from "../ui/format/format.ts";
import { type Column, ListTable, ListTableSkeleton } from "../ui/list-table.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonBar } from "../ui/skeleton.tsx";
import { StatusIcon } from "../ui/status.tsx";
import { AgentNames } from "./agent-names.tsx";

const CELL =
  "h-13 px-2.5 first:pl-4 last:pr-4 not-first:text-right not-first:overflow-hidden not-first:tabular-nums max-lg:h-auto";
const ROW =
  "relative border-b border-line/60 max-lg:grid max-lg:h-22 max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:content-center max-lg:items-center max-lg:gap-y-1";

const COLUMNS: Column[] = [
  ["Session", ""],
  ["Traces", "w-24 text-right"],
  ["Duration", "w-32 text-right"],
  ["Cost", "w-28 text-right"],
  ["Tokens", "w-24 text-right"],
  ["Last started", "w-32 text-right"],
];

export function AgentSessionRows({ sessions }: { sessions: AgentSession[] }) {
  return (
    <ListTable columns={COLUMNS}>
      {sessions.map((session) => (
        <Row key={session.sessionId} session={session} />
      ))}
    </ListTable>
  );
}

/** The table while its rows load. */
export function AgentSessionRowsSkeleton({ count = 20 }: { count?: number }) {
  return (
    <ListTableSkeleton columns={COLUMNS} count={count} rowClassName={ROW}>
      {COLUMNS.map(([label], column) => (
        <td key={label} className={`${CELL} ${column > 0 && column < 5 ? "max-lg:hidden" : ""}`}>
          <SkeletonBar className={column === 0 ? "w-1/2" : "ml-auto w-14"} />
          {column === 0 && <SkeletonBar className="mt-2 w-1/3" />}
        </td>
      ))}
    </ListTableSkeleton>
  );
}

function Row({ session }: { session: AgentSession }) {
  const { sessionId, traceCount, totalCost, totalTokens, totalDuration, lastStartedAt, status } = session;
  const { agents, firstRequest, outcome } = session;
  return (
    <tr className={`${ROW} hover:bg-panel focus-within:bg-panel`}>
      <td className={CELL}>
        <span className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] items-center gap-x-2 gap-y-0.5">
          <StatusIcon status={status} />
          <Link
            to={paths.agentSession}
            params={{ id: sessionId }}
            data-row
            title={firstRequest ?? sessionId}
            className="truncate font-medium after:absolute after:inset-0 focus-visible:-outline-offset-2"
          >
            {firstRequest ?? sessionId}
          </Link>
          <span className="col-start-2 flex min-w-0 gap-2 text-xs text-muted">
            <OutcomeBadge status={status} outcome={outcome} />
            <AgentNames agents={agents} />
            {firstRequest !== null && (
              <span className="max-w-[50%] shrink-0 truncate font-mono" title={sessionId}>
                {sessionId}
              </span>
            )}
          </span>
        </span>
      </td>
      <td className={`${CELL} max-lg:row-start-2 max-lg:pl-10! max-lg:text-left!`}>
        {traceCount.toLocaleString("en")}
        <span className="lg:sr-only"> {traceCount === 1 ? "trace" : "traces"}</span>
      </td>
      <td className={`${CELL} max-lg:row-start-2 max-lg:pr-4!`}>{formatDuration(totalDuration)}</td>
      <td className={`${CELL} max-lg:hidden`} title={totalCost === null ? undefined : `$${totalCost}`}>
        {formatCost(totalCost)}
      </td>
      <td className={`${CELL} max-lg:hidden`} title={formatExact(totalTokens)}>
        {formatCount(totalTokens)}
      </td>
      <td className={`${CELL} text-muted max-lg:col-start-2 max-lg:row-start-1 max-lg:self-start`}>
        <RelativeTime instant={lastStartedAt} />
      </td>
    </tr>
  );
}
