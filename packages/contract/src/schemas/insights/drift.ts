import { z } from "zod";
import { count, decisionType } from "../values.ts";
import { hashId, insightsRange } from "./rate.ts";
import { decisionRule } from "./rules.ts";

/** One side of a comparison over time: a time range, or a release or tag within one. */
const driftSide = insightsRange.pick({ from: true, to: true }).extend({
  release: z.string().nullable(),
  tag: z.string().nullable(),
  runs: count,
  decisions: count,
});

export const untestedReason = z.enum(["one-side", "few-decisions", "few-sessions", "one-option"]);

export const driftRow = z.object({
  signature: hashId,
  agent: z.string(),
  type: decisionType,
  options: z.array(z.object({ step: hashId, name: z.string(), base: count, current: count })),
  baseDecisions: count,
  currentDecisions: count,
  distance: z.number().describe("Half the sum of the differences of the shares, 0 to 1"),
  p: z
    .number()
    .nullable()
    .describe(
      "The probability of such a difference by chance, adjusted for all rows; null if it cannot be tested",
    ),
  isTestable: z.boolean(),
  untested: untestedReason
    .nullable()
    .describe(
      "Why it cannot be tested: made on one side only, fewer than 20 decisions or fewer than 10 sessions on a side (a run without " +
        "a session counts as one), or always the same option, of which no alternative is known",
    ),
  isDrifting: z.boolean().describe("Whether p is less than 0.01 and the distance at least 0.05"),
});

const ruleResult = z.object({
  rule: decisionRule,
  isKept: z.boolean(),
  isTestable: z.boolean().describe("False if a share cannot be judged: fewer than 20 decisions"),
  /** How often the decision was made, and how often the option of the rule was chosen. */
  decisions: count,
  chosen: count,
  traceId: z.string().nullable().describe("A trace that breaks the rule"),
});

export const driftReport = z.object({
  base: driftSide,
  current: driftSide,
  rows: z.array(driftRow).describe("At most 200; those that drift come first, then by p"),
  untested: count.describe("How many decisions cannot be tested, also beyond the listed ones"),
  rules: z.array(ruleResult),
  progress: insightsRange.shape.progress,
  /** If it is true, `whytrace drift --fail` exits with 1. */
  isFailed: z.boolean().describe("Whether something drifts or a rule is broken"),
});

export type DriftSide = z.infer<typeof driftSide>;
export type UntestedReason = z.infer<typeof untestedReason>;
export type DriftRow = z.infer<typeof driftRow>;
export type RuleResult = z.infer<typeof ruleResult>;
export type DriftReport = z.infer<typeof driftReport>;
