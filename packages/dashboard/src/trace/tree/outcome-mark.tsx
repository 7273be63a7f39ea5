import { ThumbIcon } from "../../ui/thumb-icon.tsx";

/** A thumb beside the name of a row at which something was bad. */
export function OutcomeThumb({ words }: { words: readonly string[] }) {
  const all = words.join(", ");
  return (
    <span title={all} className="ml-auto flex shrink-0 items-center text-error">
      <ThumbIcon isUp={false} />
      <span className="sr-only">, bad: {all}</span>
    </span>
  );
}

/** What was bad at a row. */
export function OutcomeWords({ words: [first, ...more] }: { words: readonly string[] }) {
  return (
    <span
      aria-hidden="true"
      title={[first, ...more].join(", ")}
      className="block truncate font-semibold text-error"
    >
      {first}
      {more.length > 0 && ` +${more.length}`}
    </span>
  );
}
