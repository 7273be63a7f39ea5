import { z } from "zod";
import { MAX_METADATA_KEY_LENGTH } from "../../traces/metadata-limits.ts";
import { fieldErrors } from "../field-errors.ts";
import { plainText } from "../plain-text.ts";
import { count, decisionType, instant } from "../values.ts";
import { answers } from "./answers.ts";
import { experiment } from "./experiment.ts";
import { leftOut } from "./left-out.ts";
import { hashId, judging } from "./rate.ts";

const MAX_SITUATION_KEYS = 3;
const UNIQUE = "must be different keys";

const readingRates = z
  .object({
    rate: z.number().describe("The share of bad runs, from 0 to 1, where it could be compared"),
    otherRate: z.number(),
    comparable: count,
  })
  .nullable()
  .describe("Null if nothing could be compared");

const findingRow = z.object({
  agent: z.string().describe("The name of the agent's traces, with changing parts masked as #"),
  kind: z
    .enum(["chose", "left-out"])
    .describe("Whether runs that chose the option go wrong more often, or runs that left it out"),
  group: z
    .enum(["worse", "undecided", "dearer", "unclear", "apart"])
    .describe(
      "worse: the option explains bad runs; undecided: runs with it go wrong more often and are longer, and which of both it is " +
        "cannot be told; dearer: turns with it cost more (lens failed only, at most 5 of an agent); unclear: it stands out only in one way to count runs without a score, and refusal says why it is not listed as worse; apart: it was never chosen in the same situation as others, so nothing can be said",
    ),
  place: z.string().nullable().describe("The span in which the option is chosen"),
  countedFrom: instant
    .nullable()
    .describe(
      "If the agent has older runs, which are not counted: when the oldest counted run started. Else null",
    ),
  signature: hashId.describe("Identifies the decision, as in GET /api/insights/decisions/:signature"),
  type: decisionType,
  step: hashId.describe("Identifies the option of this decision"),
  option: z.string().describe("Empty if no trace is left that chose it"),
  isObserved: z.boolean().describe("Whether no alternatives are known: it was only seen when it was chosen"),
  explains: z
    .number()
    .nullable()
    .describe("So many of the bad runs. Null in the groups dearer and apart, like figures below"),
  togetherWith: z
    .array(hashId)
    .describe("Steps of rows that explain some of the same bad runs, only together with this one"),
  ratio: z.number().nullable().describe("How many times as often runs are bad, in the same situation"),
  hiddenReason: z
    .number()
    .nullable()
    .describe(
      "The E-value: only something that makes both this choice and a bad run so many times as likely could explain the ratio",
    ),
  rate: z.number().nullable().describe("The share of bad runs, from 0 to 1, where it could be compared"),
  otherRate: z.number().nullable().describe("That of the others in the same situations"),
  comparable: count.describe("Decisions that could be compared, of all decisions"),
  decisions: count,
  clusters: count.describe("Sessions, or runs without a session, that were compared"),
  adjusted: z
    .number()
    .nullable()
    .describe("The probability of such a difference by chance, adjusted for all options of the agent"),
  since: z.iso.date().nullable().describe("The day since which a watched list holds this row"),
  basis: z
    .enum(["observed", "readings"])
    .nullable()
    .describe(
      "Where the difference holds. observed: in what is known of every run, or nearly every one; readings: not every run has a score, and " +
        "it holds whether runs without one are left out or taken for good. Null in the groups unclear and apart",
    ),
  refusal: z
    .enum(["few", "oneSided", "readings"])
    .nullable()
    .describe(
      "Of the group unclear. few: fewer than 20 decisions of judged runs can be compared on a side; oneSided: only complaints come; " +
        "readings: only one way to count runs without a score shows the difference",
    ),
  holdsIn: z
    .enum(["answered", "silenceGood"])
    .nullable()
    .describe("Of the group unclear: the way to count that shows the difference"),
  readings: z
    .object({ answered: readingRates, silenceGood: readingRates })
    .nullable()
    .describe(
      "answered: runs without a score are left out; silenceGood: they are taken for good. Null if every run counts alike",
    ),
  answered: z
    .object({ share: z.number(), otherShare: z.number() })
    .nullable()
    .describe("The share of decisions whose run has a score: with this option, and with others in its place"),
  isAdjusted: z
    .boolean()
    .describe(
      "False for a choice of the first turn if the agent has no situation keys: nothing is known before it",
    ),
  cost: z
    .object({
      usd: z.number().describe("What a turn costs on average, until the next one in the same place"),
      otherUsd: z.number().describe("That of the others in the same situations"),
      excessUsd: z.number().describe("What all compared turns cost more together"),
    })
    .nullable()
    .describe("Of the group dearer: US dollars"),
  experiment,
});

/** Which options explain the bad runs of agents. */
export const findings = z.object({
  from: instant,
  to: instant.describe("Exclusive"),
  agent: z.string().nullable().describe("Null: all agents"),
  lens: z
    .enum(["failed", "error", "scored"])
    .describe(
      "The one that was asked for, or else the one that has bad runs: failed, or scored if no run failed",
    ),
  watched: z
    .boolean()
    .describe(
      "True for the last 7, 30 or 90 days: a row enters at a tenth of the level, because the list is computed again and again. " +
        "False for any other time range: it was computed for you",
    ),
  computedAt: instant.nullable().describe("Null if there are no runs"),
  progress: z
    .object({ agentsLeft: count, tracesLeft: count.describe("10,000 also stands for more") })
    .nullable()
    .describe("Not null if some agents or traces are not counted yet: ask again"),
  judging: judging
    .optional()
    .describe(
      "Present while stored runs are judged by a changed definition, but not with lens error; as in GET /api/insights/decisions",
    ),
  runs: count,
  badRuns: z.number().describe("If runs were sampled, so many of those that they stand for"),
  otherLenses: z
    .array(z.object({ lens: z.enum(["failed", "scored"]), badRuns: z.number() }))
    .describe("Other lenses in which runs are bad, and how many"),
  abandonedRuns: z.number().describe("Bad runs of the lens failed that never ended"),
  countedRuns: count.describe("Of an agent at most the newest 1,000 runs are counted"),
  isTruncated: z.boolean().describe("Whether an agent has older runs, which are not counted"),
  countedFrom: instant
    .nullable()
    .describe(
      "The same as in rows, of a list of one agent. Null in a list of several agents: each has a start of its own",
    ),
  standsFor: z
    .number()
    .describe("How many runs the counted ones stand for: more, if traces say that they were sampled"),
  clusters: count.describe("Sessions, and runs without a session"),
  chance: z
    .number()
    .describe(
      "Bad runs that no row of the group worse explains. With what these rows explain they are all bad runs",
    ),
  leftOut,
  answers,
  rows: z.array(findingRow),
  notes: z
    .array(z.enum(["open-runs", "unknown-sampling", "newest-runs", "no-situation"]))
    .describe(
      "open-runs: over 5 % of the runs are still open and not counted; unknown-sampling: some runs were sampled, and others " +
        "came by OpenTelemetry and do not say with which probability they were kept; newest-runs: there are more runs than were counted; " +
        "no-situation: no situation keys are named",
    ),
});

const agent = z.string();
const keys = z.array(z.string());

/** Which keys say in which situation a run began. */
export const situationKeys = z.object({ agent, keys });

const suggestedKey = z.object({
  key: z.string(),
  values: count,
  share: z.number().describe("Of the newest runs, from 0 to 1, that have the key"),
});
export const situationKeyList = situationKeys.extend({
  suggestions: z
    .array(suggestedKey)
    .describe("Keys with 2 to 12 values that at least 80 % of the newest 1,000 runs have"),
});

export const newSituationKeys = z.object({
  keys: z
    .array(plainText(MAX_METADATA_KEY_LENGTH))
    .max(MAX_SITUATION_KEYS, { error: `must have at most ${MAX_SITUATION_KEYS} entries` })
    .refine((given) => new Set(given).size === given.length, { error: UNIQUE })
    .describe("Keys of the metadata of traces, or what stands before the colon of a tag")
    .register(fieldErrors, { texts: [UNIQUE] }),
});

export type FindingItem = z.infer<typeof findingRow>;
export type Findings = z.infer<typeof findings>;
export type SituationKeyList = z.infer<typeof situationKeyList>;
export type SuggestedKey = z.infer<typeof suggestedKey>;
