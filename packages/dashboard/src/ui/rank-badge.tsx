interface RankBadgeProps {
  /** A rank, or ✕ for what the ranked ones lead to. */
  children: number | "✕";
}

/** A number in a circle. The first rank and the end are filled. */
export function RankBadge({ children }: RankBadgeProps) {
  const isFilled = children === 1 || children === "✕";
  return (
    <span
      aria-hidden="true"
      className={`relative z-1 inline-grid size-4.5 shrink-0 place-items-center rounded-full border-[1.5px] border-error text-[11px] font-semibold leading-none ${isFilled ? "bg-error text-bg" : "bg-bg text-error"}`}
    >
      {children}
    </span>
  );
}
