import type { Issue } from "@whytrace/contract";

/** Fewer runs cannot tell decisions apart. */
const FEW_RUNS = 3;

/** `refund_api → ask_human`, and how sure that is. */
export function LikelyLine({ issue: { likely, runs } }: { issue: Issue }) {
  if (!likely)
    return (
      <span className="text-xs text-muted">
        {likely === undefined ? "" : runs < FEW_RUNS ? "too few runs to say" : "no decision explains it"}
      </span>
    );
  const { option, alternative, word } = likely;
  return (
    <span className="grid min-w-0">
      <span className="flex min-w-0 items-center gap-1.5">
        <span aria-hidden="true" className="mx-0.5 size-2 shrink-0 rotate-45 rounded-[1px] bg-tool" />
        <span title={option} className="min-w-0 truncate font-semibold text-tool">
          {option}
        </span>
        <b className="shrink-0 text-xs font-semibold">{word}</b>
      </span>
      {alternative !== null && (
        <span title={alternative} className="truncate text-muted">
          → {alternative}
        </span>
      )}
    </span>
  );
}
