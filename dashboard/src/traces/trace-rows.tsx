import { Link } from "@tanstack/react-router";
import type { TraceRow } from "@whytrace/contract";
import { Ago } from "../app/ago.tsx";
import { exact, formatCost, formatCount, formatDuration } from "../app/format.ts";
import { paths } from "../app/paths.ts";
import { Tag } from "../ui/badges.tsx";
import { StatusIcon } from "../ui/status.tsx";

const TAGS_SHOWN = 3;
const HEAD = "h-8 px-2.5 text-left text-xs font-medium text-muted first:pl-4 last:pr-4";
const CELL = "h-9 px-2.5 first:pl-4 last:pr-4 not-first:overflow-hidden";

export function TraceRows({ traces }: { traces: TraceRow[] }) {
  const longestMs = Math.max(1, ...traces.map((trace) => trace.totalDuration ?? 0));
  return (
    <table className="w-full table-fixed border-collapse">
      <thead className="border-b border-line bg-panel max-md:sr-only">
        <tr>
          <th scope="col" className={`${HEAD} w-[34%]`}>
            Name
          </th>
          <th scope="col" className={`${HEAD} w-[15%] max-lg:hidden`}>
            Tags
          </th>
          <th scope="col" className={`${HEAD} w-[16%]`}>
            Inside
          </th>
          <th scope="col" className={`${HEAD} w-[15%] text-right`}>
            Duration
          </th>
          <th scope="col" className={`${HEAD} w-[8%] text-right`}>
            Cost
          </th>
          <th scope="col" className={`${HEAD} w-[8%] text-right max-lg:hidden`}>
            Tokens
          </th>
          <th scope="col" className={`${HEAD} w-[10%] text-right`}>
            Started
          </th>
        </tr>
      </thead>
      <tbody>
        {traces.map((trace) => (
          <Row key={trace.id} trace={trace} longestMs={longestMs} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ trace, longestMs }: { trace: TraceRow; longestMs: number }) {
  const { id, name, status, tags, _count: inside, totalDuration, totalCost, totalTokens, startedAt } = trace;
  return (
    <tr className="relative border-b border-line/60 hover:bg-panel focus-within:bg-panel max-md:grid max-md:grid-cols-[1fr_auto] max-md:py-1.5">
      <td className={`${CELL} max-md:col-span-2`}>
        <span className="flex min-w-0 items-center gap-2">
          <StatusIcon status={status} />
          {/* The link covers the row, so that all of it can be clicked, opened in a tab, and copied. */}
          <Link
            to={paths.trace}
            params={{ id }}
            data-row
            className="truncate font-medium after:absolute after:inset-0"
          >
            {name}
          </Link>
        </span>
      </td>
      <td className={`${CELL} max-lg:hidden`}>
        <span className="flex gap-1 overflow-hidden">
          {tags.slice(0, TAGS_SHOWN).map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
          {tags.length > TAGS_SHOWN && <span title={tags.join(", ")}>+{tags.length - TAGS_SHOWN}</span>}
        </span>
      </td>
      <td className={CELL}>
        <Inside label="decisions" sign="◆" className="text-accent" count={inside.decisionPoints} />
        <Inside label="spans" sign="▤" className="text-muted" count={inside.spans} />
        <Inside label="events" sign="⚑" className="text-muted" count={inside.events} />
      </td>
      <td className={`${CELL} text-right`}>
        <span className="inline-flex items-center gap-2">
          {formatDuration(totalDuration)}
          <span aria-hidden="true" className="h-1 w-16 overflow-hidden rounded bg-sunken max-xl:hidden">
            <span
              className={`block h-full ${status === "ERROR" ? "bg-error/75" : "bg-agent/75"}`}
              style={{ width: `${((totalDuration ?? 0) / longestMs) * 100}%` }}
            />
          </span>
        </span>
      </td>
      <td
        className={`${CELL} text-right max-md:hidden`}
        title={totalCost === null ? undefined : `$${totalCost}`}
      >
        {formatCost(totalCost)}
      </td>
      <td className={`${CELL} text-right max-lg:hidden`} title={exact(totalTokens)}>
        {formatCount(totalTokens)}
      </td>
      <td className={`${CELL} text-right text-muted max-md:col-start-2`}>
        <Ago instant={startedAt} />
      </td>
    </tr>
  );
}

function Inside({
  label,
  sign,
  count,
  className,
}: {
  label: string;
  sign: string;
  count: number;
  className: string;
}) {
  return (
    <span title={`${count.toLocaleString("en")} ${label}`} className="mr-2.5 whitespace-nowrap">
      <span aria-hidden="true" className={`mr-1 text-xs ${className}`}>
        {sign}
      </span>
      {formatCount(count)}
      <span className="sr-only"> {label}</span>
    </span>
  );
}
