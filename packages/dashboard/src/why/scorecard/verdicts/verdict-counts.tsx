/** How many decisions people found right and wrong. */
export function VerdictCounts({ right, wrong }: { right: number; wrong: number }) {
  if (right + wrong === 0) return <span className="text-muted">—</span>;
  return (
    <span className="inline-flex gap-2 whitespace-nowrap font-semibold tabular-nums">
      <span className={right > 0 ? "text-completed" : "text-muted"}>
        <span aria-hidden="true">✓ </span>
        {right}
        <span className="sr-only"> right</span>
      </span>
      <span className={wrong > 0 ? "text-error" : "text-muted"}>
        <span aria-hidden="true">✕ </span>
        {wrong}
        <span className="sr-only"> wrong</span>
      </span>
    </span>
  );
}
