import { formatPercent } from "../../ui/format/format-percent.ts";
import { TONE_TINTS } from "./failure-tint.ts";

/** What colours and numbers of the map mean. */
export function MapLegend({ all }: { all: number }) {
  const tones = [
    { label: `bad more often than all runs (${formatPercent(all)})`, background: TONE_TINTS.worse },
    { label: "less often", background: TONE_TINTS.better },
    { label: "no clear difference", background: TONE_TINTS.unclear },
    {
      label: "mostly unknown",
      background: "repeating-linear-gradient(135deg, var(--color-control) 0 2px, transparent 2px 4px)",
    },
  ];
  return (
    <div className="flex flex-wrap gap-x-3 text-xs text-muted">
      {tones.map(({ label, background }) => (
        <span key={label} className="flex items-center gap-1.5">
          <span aria-hidden="true" className="h-1.5 w-4 rounded" style={{ background }} />
          {label}
        </span>
      ))}
      <span>
        <span className="text-completed">✓</span> <span className="text-error">✕</span> runs that end there
      </span>
    </div>
  );
}
