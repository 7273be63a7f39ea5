import { z } from "zod";
import { RUN_OUTCOMES } from "../traces/run-outcomes.ts";
import { plainText } from "./plain-text.ts";
import { SCORE_SOURCES } from "./scores.ts";
import { count, instant } from "./values.ts";

export { RUN_OUTCOMES };

export const CONDITION_KINDS = [
  "status",
  "feedback",
  "evaluator",
  "score",
  "tag",
  "metadata",
  "cost",
  "duration",
  "event",
  "decision",
] as const;
export const CONDITION_OPS = ["is", "in", "below", "above"] as const;
export const SCORE_PLACES = ["run", "span", "decision"] as const;
export const MISSING_RULES = ["good", "asked", "unknown"] as const;
export const MAX_CONDITIONS = 20;
export const MAX_CONDITION_VALUES = 50;

const value = z.union([z.number(), z.boolean(), z.string()]);
const values = z.union([value, z.array(value)]);
const op = z.enum(CONDITION_OPS);
const missing = z.enum(MISSING_RULES).optional();

/** One condition of a definition: a run is bad if any is true. */
const condition = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("status"), is: z.literal("ERROR") }),
  z.object({ kind: z.literal("feedback") }),
  z.object({ kind: z.literal("evaluator") }),
  z.object({
    kind: z.literal("score"),
    name: z.string(),
    op,
    value: values,
    source: z.enum(SCORE_SOURCES).optional(),
    at: z.enum(SCORE_PLACES).optional(),
    missing,
  }),
  z.object({ kind: z.literal("tag"), is: z.string() }),
  z.object({ kind: z.literal("metadata"), key: z.string(), op, value: values, missing }),
  z.object({ kind: z.literal("cost"), above: z.number(), missing }),
  z.object({ kind: z.literal("duration"), aboveMs: z.number() }),
  z.object({ kind: z.literal("event"), type: z.string().optional(), name: z.string().optional() }),
  z.object({ kind: z.literal("decision"), type: z.string().optional(), option: z.string().optional() }),
]);

const place = z.object({
  kind: z.enum(["run", "span", "event", "decision"]),
  id: z.string().nullable().describe("Null for the run"),
});

export const outcomeReason = z.object({
  condition: z
    .union([count, z.literal("review")])
    .describe("Which condition of the definition, counted from 0, or review"),
  kind: z.string(),
  text: z.string(),
  place,
  scoreId: z.string().nullable(),
});

export const runOutcome = z.object({
  outcome: z.enum(RUN_OUTCOMES),
  reasons: z.array(outcomeReason).describe("Why the run is bad"),
  missing: z.array(z.string()).describe("The names of what a condition needs and is missing"),
  definition: z
    .object({ agent: z.string().nullable(), version: count })
    .describe("By which definition the run was judged; version 0 is built in"),
});

/** What counts as bad for an agent, or for all agents without a definition of their own. */
export const outcomeDefinition = z.object({
  agent: z
    .string()
    .nullable()
    .describe("The masked name of its traces; null for the workspace's own definition"),
  version: count.describe("0: built in"),
  bad: z.array(condition).describe("A run is bad if any of these is true"),
  note: z.string().nullable(),
  createdAt: instant.nullable(),
  createdBy: z.string().nullable().describe("The id of the member who saved it"),
});

export const outcomeDefinitions = z.object({
  default: outcomeDefinition,
  agents: z.array(outcomeDefinition),
  progress: z
    .object({
      agent: z.string().nullable(),
      version: count,
      countedFrom: instant.nullable().describe("Runs from this time on are judged by the new version"),
      tracesLeft: count,
    })
    .nullable()
    .describe("While stored runs are judged again"),
});
export const outcomeVersions = z.object({ versions: z.array(outcomeDefinition) });

const MAX_NOTE_LENGTH = 2_000;
const agent = plainText(1_000).nullish();
export const savedDefinition = z.object({
  agent: agent.describe(
    "The name of the agent's traces, masked or not; null: all agents without a definition of their own",
  ),
  version: z.int().min(0).describe("The version that is shown; 0 if there is none"),
  bad: z.unknown().describe("1 to 20 conditions"),
  note: plainText(MAX_NOTE_LENGTH).nullish(),
});
export const previewedDefinition = z.object({ agent, bad: z.unknown().describe("1 to 20 conditions") });

const outcomeCounts = z.object({ good: count, bad: count, unknown: count, open: count });
export const outcomePreview = z.object({
  runs: count,
  isSampled: z.boolean().describe("Whether there are more runs than those that were read"),
  before: outcomeCounts,
  after: outcomeCounts,
  changed: count,
  changes: z
    .array(z.object({ before: z.enum(RUN_OUTCOMES), after: z.enum(RUN_OUTCOMES), runs: count }))
    .describe("The changed runs by what changes, the most frequent first"),
  matched: z
    .array(count)
    .describe("For each condition, in how many runs it is true, without those that a review calls good"),
  examples: z.array(
    z.object({
      traceId: z.string(),
      name: z.string(),
      startedAt: instant,
      before: z.enum(RUN_OUTCOMES),
      after: z.enum(RUN_OUTCOMES),
      reason: z.string().nullable(),
    }),
  ),
  coverage: z.array(z.object({ condition: count, asked: count, answered: count, bad: count })),
});

export type OutcomeDefinition = z.infer<typeof outcomeDefinition>;
export type OutcomeDefinitions = z.infer<typeof outcomeDefinitions>;
export type OutcomePreview = z.infer<typeof outcomePreview>;
export type RunOutcomeName = (typeof RUN_OUTCOMES)[number];
export type Condition = z.infer<typeof condition>;
export type ConditionValue = z.infer<typeof value>;
export type OutcomeReason = z.infer<typeof runOutcome>["reasons"][number];
export type RunOutcome = z.infer<typeof runOutcome>;
