import { type Issue, unexplainedWords } from "@whytrace/contract";

/** `refund_api → ask_human`, and how sure that is. */
export function LikelyLine({ issue }: { issue: Issue }) {
  const { likely } = issue;
  if (!likely) return <span className="text-xs text-muted">{unexplainedWords(issue)}</span>;
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
