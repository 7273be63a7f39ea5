import type { ReleaseComparison, ReleaseMeasure } from "@whytrace/contract";

type Verdict = ReleaseComparison["verdict"] | ReleaseMeasure["verdict"];

const MARKS: Record<Verdict, { mark: string; label: string; tone: string }> = {
  worse: { mark: "✕", label: "Worse", tone: "[--tint:var(--color-error)]" },
  mixed: { mark: "±", label: "Worse and better", tone: "[--tint:var(--color-error)]" },
  better: { mark: "✓", label: "Better", tone: "[--tint:var(--color-completed)]" },
  alike: { mark: "=", label: "No difference found", tone: "[--tint:var(--color-muted)]" },
  untested: { mark: "?", label: "Cannot be told yet", tone: "[--tint:var(--color-muted)]" },
};

/** A verdict as a mark, with its words for screen readers and as a tooltip. */
export function VerdictIcon({ verdict }: { verdict: Verdict }) {
  const { mark, label, tone } = MARKS[verdict];
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={`tinted inline-grid size-5 shrink-0 place-items-center rounded-full text-xs font-semibold ${tone}`}
    >
      {mark}
    </span>
  );
}

/** The colour of what is marked with a verdict. */
export const verdictTone = (verdict: Verdict) => MARKS[verdict].tone;
export const verdictLabel = (verdict: Verdict) => MARKS[verdict].label;
