import { hash32, maskText } from "@whytrace/contract";
import type { JudgedScore } from "./judged-run.ts";

/** Of a score: its name, with its label if it has one. */
export const scoreFingerprint = ({ name, label }: Pick<JudgedScore, "name" | "label">): number =>
  hash32(`score\n${maskText(name)}\n${label === null ? "" : maskText(label)}`);

/** Of a condition on the run itself: its words, such as "tag refunded". */
export const conditionFingerprint = (words: string): number => hash32(`condition\n${maskText(words)}`);
