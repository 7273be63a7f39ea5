import type { ScoreTone } from "./score-words.ts";

const APPEARANCE: Record<ScoreTone, { label: string; colour: string; symbol: string }> = {
  bad: { label: "Bad", colour: "bg-error", symbol: "✕" },
  good: { label: "Good", colour: "bg-completed", symbol: "✓" },
  neutral: { label: "Neither good nor bad", colour: "bg-muted", symbol: "–" },
};

/** What a score says, by shape as well as colour. */
export function ToneIcon({ tone }: { tone: ScoreTone }) {
  const { label, colour, symbol } = APPEARANCE[tone];
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={`inline-grid size-4 shrink-0 place-items-center rounded-full text-[10px] font-bold text-bg ${colour}`}
    >
      {symbol}
    </span>
  );
}
