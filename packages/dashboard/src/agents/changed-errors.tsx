import { Link } from "@tanstack/react-router";
import type { ComparedError, ReleaseComparison } from "@whytrace/contract";
import { omitEmpty } from "../client/search-params.ts";
import { paths } from "../paths.ts";
import { sideTraces } from "./side-traces.ts";

const WORDS: Record<ComparedError["change"], { label: string; tone: string }> = {
  new: { label: "New", tone: "[--tint:var(--color-error)]" },
  more: { label: "More", tone: "[--tint:var(--color-error)]" },
  fewer: { label: "Fewer", tone: "[--tint:var(--color-completed)]" },
  gone: { label: "Gone", tone: "[--tint:var(--color-completed)]" },
};

/** Errors that are new, gone, or clearly more or less frequent, each with its runs on both sides. */
export function ChangedErrors({ comparison }: { comparison: ReleaseComparison }) {
  if (comparison.errors.length === 0)
    return <p className="p-3 text-muted">No error is new, gone or clearly changed.</p>;
  return (
    <ul>
      {comparison.errors.map((error) => (
        <ErrorItem key={`${error.name} ${error.message}`} error={error} comparison={comparison} />
      ))}
    </ul>
  );
}

function ErrorItem({
  error: { name, message, change, isClear, base: before, current: after, sent, traceId },
  comparison: { agent, base, current },
}: {
  error: ComparedError;
  comparison: ReleaseComparison;
}) {
  const { label, tone } = WORDS[change];
  const traces = sideTraces(agent, after > 0 ? current : base);
  return (
    <li className="grid grid-cols-[4rem_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-0.5 border-b border-line/60 px-3 py-2 last:border-0 max-sm:grid-cols-[minmax(0,1fr)_auto]">
      <span className="max-sm:row-start-2">
        <span
          className={`inline-flex rounded-[5px] px-1.5 text-xs font-semibold ${isClear ? `tinted ${tone}` : "border border-dashed border-line text-muted"}`}
          title={isClear ? undefined : "So few runs may be chance"}
        >
          {label}
          {!isClear && "?"}
        </span>
      </span>
      <span className="min-w-0 max-sm:col-span-2 max-sm:row-start-1">
        <Link
          to={paths.traces}
          search={omitEmpty({
            ...traces,
            error: sent.error,
            ...(sent.errorMessage !== null && { errorMessage: sent.errorMessage }),
          })}
          className="break-words hover:underline"
        >
          {message ?? name}
        </Link>
        {message !== null && <span className="block truncate text-xs text-muted">{name}</span>}
      </span>
      <span className="whitespace-nowrap text-right text-xs tabular-nums text-muted max-sm:col-start-2 max-sm:row-start-2">
        {before} → {after} {after === 1 ? "run" : "runs"} ·{" "}
        <Link
          to={paths.trace}
          params={{ id: traceId }}
          search={{ tab: "why" }}
          className="text-accent underline"
        >
          newest
        </Link>
      </span>
    </li>
  );
}
