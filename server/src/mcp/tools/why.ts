import { type Blame, isGoodRun, type NoPartnerReason, type Suspect } from "@whytrace/contract";
import { z } from "zod";
import { HttpError } from "../../http/http-error.ts";
import { explainError } from "../../insights/blame/explain-error.ts";
import { NO_ERROR } from "../../insights/blame/find-suspects.ts";
import { compareTraces } from "../../insights/compare/compare-traces.ts";
import { listPartners } from "../../insights/compare/list-partners.ts";
import { fitLines } from "../answer.ts";
import { describeDivergence, describeRate } from "../describe-decision.ts";
import { defineTool, type ToolCall } from "../tool.ts";

const MAX_SUSPECTS = 5;
const MAX_ERRORS = 10;
const NOTHING_FAILED =
  "Nothing failed here, so there is no error to explain. get_trace shows what the run did, compare_traces how it differs from another.";
const NO_PARTNER: Readonly<Record<NoPartnerReason, string>> = {
  "no-decisions": "The run decided nothing, so it was compared with no other.",
  "not-read": "The decisions of this run have not been read yet, so it was compared with no other.",
  "no-other-run": "No other run of this agent was completed, so it was compared with none.",
  "no-such-choice": "No run to compare it with was found.",
};
const SUSPICION = {
  likely: "The first suspect likely made the difference",
  possible: "The first suspect possibly made the difference",
  none: "No decision stands out; the suspects are in the order of time, the last one first",
};

export const why = defineTool({
  name: "why",
  title: "Explain why a run failed",
  description:
    "Explains an error: what failed, which decisions before it likely made the difference, and what differed from the nearest run " +
    "that went well. Lines: { agent, error, otherErrors }; up to 5 suspects { rank, decisionPointId, suspicion, chose, place, " +
    "chosen and alternative with what followed them in the last 30 days, sameError, clue, signature, step }; then " +
    "{ nearestGoodRun, firstDifference }, in which a is this run. An association, not a proof: check a suspect with get_span, " +
    "kind decision.",
  input: z.strictObject({
    traceId: z.string().describe("The id of a trace"),
    spanId: z
      .string()
      .optional()
      .describe("The failed span to explain. Default: the error that the trace ended with"),
  }),
  async run(call, { traceId, spanId }) {
    const blame = await explain(call, traceId, spanId);
    const nearest = await compareWithNearest(call, traceId);
    const [first] = blame.suspects;
    return {
      summary: [
        `${blame.decisions} decisions were made before the error; ${blame.error.runs} runs of this agent had it in the last 30 days.`,
        first ? `${SUSPICION[first.suspicion]}.` : "Nothing was decided before it.",
        ...("reason" in nearest ? [nearest.reason] : []),
      ].join(" "),
      lines: fitLines([
        describeError(blame),
        ...blame.suspects.slice(0, MAX_SUSPECTS).map(describeSuspect),
        ...("reason" in nearest ? [] : [nearest]),
      ]),
    };
  },
});

async function explain(
  { days, userId }: ToolCall,
  traceId: string,
  spanId: string | undefined,
): Promise<Blame> {
  try {
    return await explainError(days, userId, { traceId, spanId });
  } catch (error) {
    if (error instanceof HttpError && error.message === NO_ERROR) throw new HttpError(400, NOTHING_FAILED);
    throw error;
  }
}

async function compareWithNearest({ reads, days, userId }: ToolCall, traceId: string) {
  const list = await reads.run(userId, (db) => listPartners(db, userId, traceId, undefined));
  const partner = list?.partners.find(isGoodRun);
  if (!partner) return { reason: NO_PARTNER[list?.reason ?? "no-other-run"] };
  const comparison = await compareTraces({ reads, days }, userId, { a: traceId, b: partner.traceId });
  const { kind, startedAt, sameDecisions } = partner;
  return {
    nearestGoodRun: {
      traceId: partner.traceId,
      startedAt,
      sameDecisions,
      ...(kind === "same-well" && {
        note: "It decided the same, so decisions do not explain the difference",
      }),
    },
    firstDifference: describeDivergence(comparison),
  };
}

const describeError = ({ traceId, agent, error, errors }: Blame) => ({
  traceId,
  agent,
  error: { spanId: error.spanId, name: error.name, message: error.message, at: error.at },
  otherErrors: errors.filter(({ spanId }) => spanId !== error.spanId).slice(-MAX_ERRORS),
});

const describeSuspect = (suspect: Suspect, index: number) => ({
  rank: index + 1,
  decisionPointId: suspect.decisionPointId,
  suspicion: suspect.suspicion,
  type: suspect.type,
  chose: suspect.option,
  place: suspect.place,
  msBeforeError: suspect.beforeMs,
  chosen: describeRate(suspect.chosen),
  alternative: suspect.alternative && {
    option: suspect.alternative.option,
    ...describeRate(suspect.alternative.rate),
  },
  ...(suspect.after && { bothAfter: suspect.after.option || "the start of the run" }),
  sameError: suspect.sameError,
  clue: suspect.clue,
  dithering: suspect.dithering,
  verdict: suspect.verdict && { verdict: suspect.verdict.verdict, note: suspect.verdict.note },
  signature: suspect.signature,
  step: suspect.step,
});
