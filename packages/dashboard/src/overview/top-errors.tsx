import { Link } from "@tanstack/react-router";
import type { ErrorStats } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { formatCount, formatExact } from "../ui/format/format.ts";
import { RelativeTime } from "../ui/relative-time.tsx";
import { RankedRow } from "./ranked-row.tsx";

/** The most frequent errors. A row links to its traces, and its time to the latest one. */
export function TopErrors({ errors, from, to }: ErrorStats) {
  const maxTraces = errors[0]?.traces ?? 1;
  return (
    <ul>
      {errors.map(({ name, message, traces, lastAt, lastTraceId }) => (
        <RankedRow key={message ?? `\n${name}`} share={traces / maxTraces} tint="[--tint:var(--color-error)]">
          <Link
            to={paths.traces}
            search={{
              ...(message === null ? { error: name } : { errorMessage: message }),
              startedFrom: from,
              startedTo: to,
            }}
            className="min-w-0 flex-1 py-1.5 hover:underline max-sm:py-3"
          >
            <span className="block truncate font-medium" title={message ?? undefined}>
              {message ?? name}
            </span>
            <span className="block truncate text-xs text-muted">
              {message === null ? "No message" : name}
            </span>
          </Link>
          <span className="text-right">
            <span className="block font-medium" title={`${formatExact(traces)} traces`}>
              {formatCount(traces)} <span className="sr-only">traces</span>
            </span>
            <Link
              to={paths.trace}
              params={{ id: lastTraceId }}
              className="text-xs text-accent hover:underline"
              title={`Latest trace with ${message ?? name}`}
            >
              <RelativeTime instant={lastAt} />
            </Link>
          </span>
        </RankedRow>
      ))}
    </ul>
  );
}
