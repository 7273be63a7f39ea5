import { Link } from "@tanstack/react-router";
import type { SearchField, SearchHit, SearchRecord } from "@whytrace/contract";
import { memo } from "react";
import { paths } from "../../paths.ts";
import { MARK } from "../../ui/intervals/mark-style.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { StatusIcon } from "../../ui/status.tsx";
import { hitLocation } from "./hit-location.ts";
import type { TraceHits } from "./search-run.ts";

const RECORDS: Record<SearchRecord, { label: string; symbol: string; className: string }> = {
  trace: { label: "Trace", symbol: "☰", className: "text-muted" },
  span: { label: "Span", symbol: "▤", className: "text-muted" },
  decisionPoint: { label: "Decision", symbol: "◆", className: "text-accent" },
  event: { label: "Event", symbol: "⚑", className: "text-muted" },
};
const FIELD_LABELS: Record<SearchField, string> = {
  input: "input",
  output: "output",
  metadata: "metadata",
  name: "name",
  statusMessage: "status message",
  reasoning: "reasoning",
  chosen: "chosen option",
  alternatives: "alternatives",
  contextSnapshot: "context",
};

/** The server sends at most as many characters before and after a match. */
const EXCERPT_LENGTH = 60;

/** The hits in one trace. Each of them links to its record in the trace. */
export const SearchHits = memo(function SearchHits({ trace, text }: { trace: TraceHits; text: string }) {
  const { traceId: id, name, status, startedAt, hits, moreCount } = trace;
  return (
    <li className="border-b border-line px-4 py-2.5">
      <div className="flex items-center gap-2">
        <StatusIcon status={status} />
        <h2 className="min-w-0 truncate">
          <Link
            to={paths.trace}
            params={{ id }}
            search={{ q: text }}
            data-row
            title={name}
            className="font-medium hover:underline focus-visible:-outline-offset-2 max-sm:inline-flex max-sm:min-h-11 max-sm:items-center"
          >
            {name}
          </Link>
        </h2>
        <span className="ml-auto shrink-0 text-muted tabular-nums">
          <RelativeTime instant={startedAt} />
        </span>
      </div>
      <ul className="mt-1 grid grid-cols-[minmax(0,1fr)] pl-6 max-sm:pl-0">
        {hits.map((hit, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hits are only ever appended
          <li key={index}>
            <Hit hit={hit} text={text} />
          </li>
        ))}
        {moreCount > 0 && (
          <li>
            <Link
              to={paths.trace}
              params={{ id }}
              search={{ q: text }}
              data-row
              className="-mx-2 inline-flex min-h-7 items-center rounded px-2 text-xs text-accent hover:underline max-sm:min-h-11"
            >
              {moreCount.toLocaleString("en")} more in this trace
            </Link>
          </li>
        )}
      </ul>
    </li>
  );
});

function Hit({ hit, text }: { hit: SearchHit; text: string }) {
  const { record, field, before, match, after } = hit;
  const { label, symbol, className } = RECORDS[record.kind];
  return (
    <Link
      to={paths.trace}
      params={{ id: hit.traceId }}
      search={hitLocation(hit, text)}
      data-row
      className="-mx-2 grid grid-cols-[14rem_minmax(0,1fr)] items-baseline gap-x-4 rounded px-2 py-1 hover:bg-panel focus-visible:-outline-offset-2 max-lg:grid-cols-[minmax(0,1fr)] max-sm:min-h-11"
    >
      <span className="flex min-w-0 items-baseline gap-1.5 text-xs">
        <span role="img" aria-label={label} title={label} className={`w-3 shrink-0 text-center ${className}`}>
          {symbol}
        </span>
        {record.kind !== "trace" && <span className="truncate">{record.name}</span>}
        <span className="shrink-0 text-muted">{FIELD_LABELS[field]}</span>
      </span>
      <span className="line-clamp-2 break-words font-mono text-xs leading-5 text-muted">
        {before.length >= EXCERPT_LENGTH && "…"}
        {before}
        <mark className={MARK}>{match}</mark>
        {after}
        {after.length >= EXCERPT_LENGTH && "…"}
      </span>
    </Link>
  );
}
