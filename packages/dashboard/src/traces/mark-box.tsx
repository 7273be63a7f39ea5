interface MarkBoxProps {
  name: string;
  mark: "A" | "B" | "✓" | undefined;
  onToggle: (isRange: boolean) => void;
}

/** Selects a trace, to compare, export or delete it: a box at the left of its row. */
export function MarkBox({ name, mark, onToggle }: MarkBoxProps) {
  return (
    <button
      type="button"
      aria-pressed={mark !== undefined}
      aria-label={`Select ${name}`}
      title="Select (x); with Shift, all up to here"
      onClick={(event) => onToggle(event.shiftKey)}
      className="group/mark absolute inset-y-0 left-0 z-[1] grid w-11 place-items-center focus-visible:-outline-offset-2"
    >
      <span className="grid size-4 place-items-center rounded-[4px] border border-control bg-bg text-[11px] font-semibold leading-none group-hover/mark:border-accent group-aria-pressed/mark:border-accent group-aria-pressed/mark:bg-accent group-aria-pressed/mark:text-bg">
        {mark}
      </span>
    </button>
  );
}
