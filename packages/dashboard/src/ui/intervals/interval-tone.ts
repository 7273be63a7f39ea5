interface IntervalBounds {
  low: number;
  high: number;
}

export type IntervalTone = "worse" | "better" | "unclear";

/** Whether an interval lies wholly above or wholly below what it is compared with. More is worse. */
export function intervalTone({ low, high }: IntervalBounds, comparedWith: number | undefined): IntervalTone {
  if (comparedWith === undefined) return "unclear";
  if (low > comparedWith) return "worse";
  return high < comparedWith ? "better" : "unclear";
}

/** The text colour of each tone. */
export const TONE_TEXT: Record<IntervalTone, string> = {
  worse: "text-error",
  better: "text-completed",
  unclear: "text-text",
};
