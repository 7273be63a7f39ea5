import { CLASS_TINTS, FAILURE_CLASSES } from "./failure-tint.ts";

/** What colours and numbers of the map mean. */
export function MapLegend() {
  return (
    <div className="pointer-events-none absolute bottom-2 right-4 flex flex-wrap gap-x-3 rounded-md border border-line bg-bg px-3 py-1.5 text-xs text-muted max-lg:hidden">
      <span>Failed</span>
      {FAILURE_CLASSES.map(({ label }, index) => (
        <span key={label} className="flex items-center gap-1.5">
          <span aria-hidden="true" className="h-1 w-4 rounded" style={{ background: CLASS_TINTS[index] }} />
          {label}
        </span>
      ))}
      <span>
        <span className="text-completed">✓</span> <span className="text-error">✕</span> runs that end there
      </span>
    </div>
  );
}
