import type { Score } from "@whytrace/contract";

type Judged = Pick<Score, "value" | "label">;

/** `false`, `0.1 fail`, `2`. */
export function scoreValueText({ value, label }: Judged): string {
  const text = typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value);
  return label === null ? text : `${text} ${label}`;
}

/** `helpful false`. */
export const scoreText = (score: Judged & Pick<Score, "name">): string =>
  `${score.name} ${scoreValueText(score)}`;

export type ScoreTone = "bad" | "good" | "neutral";

/**
 * Only true and false say good or bad by themselves: nobody knows the scale of a number. All else is bad if the outcome of the run
 * names it as a reason.
 */
export const scoreTone = ({ value }: Judged, isReason: boolean): ScoreTone =>
  isReason || value === false ? "bad" : value === true ? "good" : "neutral";
