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

/** Only true and false say good or bad by themselves: nobody knows the scale of a number. */
export const scoreTone = ({ value }: Judged): ScoreTone =>
  value === false ? "bad" : value === true ? "good" : "neutral";
