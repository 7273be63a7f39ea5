import { z } from "zod";
import { outcomeReason } from "../outcomes.ts";
import { count, decisionType, instant } from "../values.ts";
import { verdict } from "../verdicts.ts";
import { answers } from "./answers.ts";
import { experiment } from "./experiment.ts";
import { leftOut } from "./left-out.ts";
import { hashId, insightsRange } from "./rate.ts";

const namedError = {
  spanId: z.string().nullable().describe("Null if the error is not that of a span"),
  name: z.string(),
  message: z.string().nullable(),
};

const reason = z.object({
  ...outcomeReason.shape,
  fingerprint: hashId.nullable().describe("The same for runs that are bad for the same reason"),
  runs: count.describe("Traces of the agent that are bad for it"),
});

const contextClue = z.object({
  key: z.string(),
  value: z.string().describe("JSON"),
  failed: count,
  failedTotal: count,
  fine: count,
  fineTotal: count,
});

const maskedContext = z.object({
  key: z.string().nullable().describe("Null: the whole context"),
  rule: z.string().nullable().describe("The name of the rule that masked it; null: the level"),
});

const dithering = z.object({
  kind: z.enum(["repeated-retry", "back-and-forth", "named-other-option"]),
  /** For "named-other-option": the option that the reasoning names. */
  option: z.string().optional(),
});

/** An option that was chosen before a run went wrong, or that was left out. */
export const suspect = z.object({
  kind: z.enum(["chose", "left-out"]),
  decisionPointId: z
    .string()
    .nullable()
    .describe("The likeliest of the decisions for the option. Null if it was left out"),
  turn: z.number().nullable().describe("The turn of that decision, from 0 on"),
  turns: z.array(z.number()).describe("All turns at which it was chosen, the likeliest first"),
  type: decisionType,
  signature: hashId,
  step: hashId,
  option: z.string(),
  suspicion: z
    .enum(["likely", "possible", "none"])
    .describe(
      "likely: it explains this run, and it is a finding beyond doubt; possible: it may explain this run; none: nothing says so",
    ),
  beforeMs: z.number().nullable().describe("Milliseconds from the decision until the run went wrong"),
  place: z.string().nullable().describe("The span in which it was made"),
  explains: z
    .number()
    .nullable()
    .describe("So many bad runs of the agent. Null if it was not compared, like those below"),
  ratio: z.number().nullable().describe("How many times as often runs are bad, in the same situation"),
  rate: z.number().nullable().describe("The share of bad runs, from 0 to 1, where it could be compared"),
  otherRate: z.number().nullable().describe("That of the others in the same situations"),
  comparable: count.nullable().describe("Decisions that could be compared"),
  experiment,
  clue: contextClue
    .nullable()
    .describe(
      "A value in its context that is more frequent among the newest such decisions if they failed than if they did not",
    ),
  maskedContext: z
    .array(maskedContext)
    .optional()
    .describe("If there is no clue: what in its context is masked so that it is the same in all runs"),
  dithering: dithering.nullable().describe("Why it looks undecided"),
  verdict: verdict.extend({ createdAt: instant }).nullable(),
});

/** How a run went wrong. */
export const ending = z.object({
  kind: z
    .enum(["failed", "abandoned", "error", "scored"])
    .describe("error: the run got over it; scored: it is bad for a reason that is no error, as a score"),
  turn: z.number().nullable().describe("The turn at which it went wrong, from 0 on"),
  isCircle: z.boolean().describe("Whether it went in circles from there on"),
});

/** The decisions before a run went wrong, the likeliest cause first. */
export const blame = insightsRange.extend({
  traceId: z.string(),
  agent: z.string(),
  ending,
  error: z
    .object({
      ...namedError,
      fingerprint: hashId,
      at: instant.describe("Decisions up to this time may have caused it"),
      runs: count.describe("Traces of the agent with this error"),
    })
    .nullable()
    .describe("Null if the run was abandoned, or a reason is explained"),
  reason: reason.nullable().describe("The reason that is explained; null if it is an error"),
  reasons: z
    .array(reason)
    .describe(
      "All reasons that are no errors for which the run is bad, at most 100; another one can be asked for with `reason`",
    ),
  /** At most 100; another one can be asked for with `spanId`. */
  errors: z.array(z.object(namedError)).describe("The errors of the trace in the order of time"),
  decisions: count.describe("How many decisions were made until it went wrong"),
  suspects: z.array(suspect).describe("The likeliest cause first"),
  comparedRuns: z
    .number()
    .describe("So many runs of the agent were compared; if runs were sampled, those that they stand for"),
  badRuns: z.number().describe("Those of them that are bad"),
  leftOut,
  answers,
  partner: z
    .object({ traceId: z.string(), turn: z.number() })
    .nullable()
    .describe(
      "A run that went well, was in the same state before the first suspect, and chose otherwise at this turn",
    ),
  record: z
    .object({ judged: count, right: count })
    .describe(
      "How often a person judged the first suspect of an error of this agent, and how often it was indeed wrong",
    ),
});

export type ContextClue = z.infer<typeof contextClue>;
export type MaskedContext = z.infer<typeof maskedContext>;
export type Dithering = z.infer<typeof dithering>;
export type Suspect = z.infer<typeof suspect>;
export type Suspicion = Suspect["suspicion"];
export type Blame = z.infer<typeof blame>;
