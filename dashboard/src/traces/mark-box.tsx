interface MarkBoxProps {
  name: string;
  mark: "A" | "B" | "✓" | undefined;
  onToggle: (isRange: boolean) => void;
}

/**
 * Selects a trace, to compare, export or delete it. Visible on the row that is pointed at or has the focus, and on marked rows; on a
 * phone, where nothing is pointed at, on all.
 */
export function MarkBox({ name, mark, onToggle }: MarkBoxProps) {
  return (
    <button
      type="button"
      aria-pressed={mark !== undefined}
      aria-label={`Select ${name}`}
      title="Select (x); with Shift, all up to here"
      onClick={(event) => onToggle(event.shiftKey)}
      className="relative z-[1] ml-auto grid h-6 min-w-6 shrink-0 place-items-center rounded-[5px] border border-control bg-bg px-1 text-xs font-semibold opacity-0 hover:border-accent focus:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 aria-pressed:border-accent aria-pressed:bg-accent aria-pressed:text-bg aria-pressed:opacity-100 max-lg:size-8 max-lg:opacity-100"
    >
      {mark ?? <span className="max-lg:hidden">x</span>}
    </button>
  );
}
