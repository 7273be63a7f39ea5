import { CLASS_TINTS, FAILURE_CLASSES } from "./failure-tint.ts";

/** What colours and numbers of the map mean. */
export function MapLegend() {
  return (
    <div className="flex flex-wrap gap-x-3 border-t border-line px-4 py-1.5 text-xs text-muted">
      <span>Bad</span>
      {FAILURE_CLASSES.map(({ label }, index) => (
        <span key={label} className="flex items-center gap-1.5">
          <span aria-hidden="true" className="h-1 w-4 rounded" style={{ background: CLASS_TINTS[index] }} />
          {label}
        </span>
      ))}
      <span className="flex items-center gap-1.5">
        <span
          aria-hidden="true"
          className="h-1.5 w-4 rounded"
          style={{
            background: "repeating-linear-gradient(135deg, var(--color-control) 0 2px, transparent 2px 4px)",
          }}
        />
        mostly unknown
      </span>
      <span>
        <span className="text-completed">✓</span> <span className="text-error">✕</span> runs that end there
      </span>
    </div>
  );
}
