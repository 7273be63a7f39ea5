import { isRecord } from "../api.ts";
import type { Answer, GivenScore } from "./judge.ts";

/** Reads what a judge returned: a score, several, or null if it has nothing to say. */
export function readAnswer(returned: unknown): Answer {
  if (returned === null || returned === undefined)
    return { kind: "skipped", reason: "the judge said nothing" };
  const scores: unknown[] = Array.isArray(returned) ? returned : [returned];
  if (scores.length === 0) return { kind: "skipped", reason: "the judge said nothing" };
  const read: GivenScore[] = [];
  let costUsd = 0;
  for (const score of scores) {
    if (!isRecord(score)) return noValue;
    if (typeof score.error === "string") return { kind: "failed", reason: score.error };
    if (typeof score.skip === "string") return { kind: "skipped", reason: score.skip };
    const { value, costUsd: cost, ...fields } = score;
    if (!["number", "boolean", "string"].includes(typeof value)) return noValue;
    if (typeof cost === "number" && cost > 0) costUsd += cost;
    read.push({ ...fields, value });
  }
  return { kind: "scores", scores: read, costUsd };
}

const noValue: Answer = {
  kind: "failed",
  reason: "the judge returned no value that is a number, true, false or a text",
};
