import { z } from "zod";
import {
  LINE_RELATIONS,
  MAX_CONTEXT_KIB,
  MAX_CONTEXT_VALUES,
  MAX_CONTEXTS_MIB,
  PARTNER_KINDS,
} from "../../insights/comparison.ts";
import { count, decisionType, instant, status } from "../values.ts";
import { chosenStep, hashId, insightsRange, rate } from "./rate.ts";

const comparedRun = z.object({
  id: z.string(),
  name: z.string(),
  status,
  release: z.string().nullable().describe("From its tags, such as `v2.3.1` or `release:2026-11-02`"),
  tags: z.array(z.string()),
  startedAt: instant,
  durationMs: z.number().nullable(),
  costUsd: z.number().nullable(),
  tokens: z.number().nullable(),
  spans: count,
  decisions: count,
  errors: count,
  error: z.string().nullable().describe("The message of the first error, or its name"),
});

const comparedDecision = z.object({
  id: z.string(),
  type: decisionType,
  signature: hashId.describe("Identifies decisions of the same type between the same options"),
  step: hashId.describe("Identifies the option that was chosen in such decisions"),
  option: z.string(),
  options: z.array(z.string()).describe("All options, the chosen one first"),
  reasoning: z.string().nullable(),
  atMs: z.number().describe("Milliseconds since its trace started"),
});

/** How many keys of two contexts differ, of how many. */
const contextKeyCounts = z.object({
  differing: count.describe("How many keys of the context differ"),
  keys: count.describe("Of how many"),
  isTruncated: z
    .boolean()
    .describe(
      `Whether a context is too large to be compared completely: it has more than ${MAX_CONTEXT_KIB} KiB or ` +
        `${MAX_CONTEXT_VALUES} values, or those before it have ${MAX_CONTEXTS_MIB} MiB`,
    ),
});

const comparedLine = z.object({
  relation: z
    .enum(LINE_RELATIONS)
    .describe(
      "`flipped`: another of the same options; `changed`: other options; `a`, `b`: only this run decided here",
    ),
  a: comparedDecision.nullable(),
  b: comparedDecision.nullable(),
  context: contextKeyCounts
    .nullable()
    .describe("Null if only one run decided here or neither recorded a context"),
});

const comparedContextKey = z.object({
  key: z.string().describe("The path of the value, such as `order.total`"),
  a: z.string().nullable().describe("JSON, truncated if it is long; null if the key is absent"),
  b: z.string().nullable(),
  isEqual: z.boolean(),
  namedIn: z.enum(["a", "b"]).nullable().describe("The only run whose reasoning names an equal value"),
});

/** What followed the two options in the time range. */
const divergenceRates = insightsRange.extend({
  a: rate,
  b: rate,
  after: chosenStep
    .nullable()
    .describe("What was decided before, to which the rates are limited; null: they are not limited"),
});

export const comparison = z.object({
  a: comparedRun,
  b: comparedRun,
  lines: z.array(comparedLine),
  isTruncated: z.boolean().describe("Whether a run has more decisions than were compared"),
  /** Null if all lines are the same. */
  divergence: z
    .object({
      line: count.describe("The index of the first line that is not the same"),
      context: z
        .array(comparedContextKey)
        .describe("Keys of its context, at most 200, those that differ first"),
      rates: divergenceRates
        .nullable()
        .describe(
          "What followed each option elsewhere; null if the options are not the same or nothing was counted of one of them",
        ),
    })
    .nullable(),
  contextDivergence: z
    .object({ line: count, context: z.array(comparedContextKey) })
    .nullable()
    .describe("If all decisions are the same, the first line whose context differs"),
});

const partner = z.object({
  kind: z
    .enum(PARTNER_KINDS)
    .describe(
      "otherwise-well: it chose otherwise and went well; same-well: it decided the same and went well; release-well: it " +
        "went well, earlier and in another release, and may be listed for another reason, too; same-error: it failed with " +
        "the same error; session: it belongs to the same session",
    ),
  traceId: z.string(),
  name: z.string(),
  status,
  release: z.string().nullable(),
  startedAt: instant,
  sameDecisions: count.describe("How many decisions from the start on are the same"),
});

/**
 * no-decisions: the run decided nothing; not-read: its decisions, from before an update, have not been read yet;
 * no-other-run: no other run of the agent was completed; no-such-choice: no completed run chose the option asked for at a
 * point where this run decided otherwise.
 */
const noPartnerReason = z.enum(["no-decisions", "not-read", "no-other-run", "no-such-choice"]);

/** Runs to compare with, the most similar first. */
export const partnerList = z.object({
  /** The name of the agent, with changing parts masked. */
  agent: z.string(),
  partners: z.array(partner),
  reason: noPartnerReason.nullable().describe("Why no completed run was found; null if one was"),
});

export type ComparedRun = z.infer<typeof comparedRun>;
export type ComparedDecision = z.infer<typeof comparedDecision>;
export type ContextKeyCounts = z.infer<typeof contextKeyCounts>;
export type ComparedLine = z.infer<typeof comparedLine>;
export type ComparedContextKey = z.infer<typeof comparedContextKey>;
export type DivergenceRates = z.infer<typeof divergenceRates>;
export type Comparison = z.infer<typeof comparison>;
export type NoPartnerReason = z.infer<typeof noPartnerReason>;
export type Partner = z.infer<typeof partner>;
export type PartnerList = z.infer<typeof partnerList>;
