interface RepeatButtonProps {
  count: number;
  isExpanded: boolean;
  onToggle: () => void;
}

/** How often a decision was repeated; shows or folds the repetitions. It lies above the link that covers the row. */
export function RepeatButton({ count, isExpanded, onToggle }: RepeatButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={isExpanded}
      title={isExpanded ? "Show as one row" : "Show each of them"}
      className="group relative z-1 inline-flex items-center max-sm:-my-3 max-sm:min-h-11 max-sm:px-1.5"
      onClick={onToggle}
    >
      <span className="inline-flex items-center gap-1 rounded-[5px] border border-line bg-bg px-1.5 text-xs font-semibold leading-5 text-muted group-hover:text-text">
        <span>
          <span aria-hidden="true">×</span>
          {count}
          <span className="sr-only"> times on this page</span>
        </span>
        <span aria-hidden="true" className="text-[9px]">
          {isExpanded ? "▼" : "▶"}
        </span>
      </span>
    </button>
  );
}
