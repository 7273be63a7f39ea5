/** A square in the colour `--tint`. */
export function SpanIcon() {
  return <span aria-hidden="true" className="size-2.5 shrink-0 rounded-[2.5px] bg-[var(--tint)]" />;
}

/** A diamond in the colour `--tint`, filled when the decision is selected. */
export function DecisionIcon({ isFilled = false }: { isFilled?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`mx-px size-2 shrink-0 rotate-45 rounded-[1px] border-2 border-[var(--tint)] ${isFilled ? "bg-[var(--tint)]" : "bg-bg"}`}
    />
  );
}
