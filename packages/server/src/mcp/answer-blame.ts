import {
  type Blame,
  blameSentence,
  isGoodRun,
  NO_PARTNER,
  outcomeNotes,
  type Suspect,
  suspectSentence,
} from "@whytrace/contract";
import { HttpError } from "../http/http-error.ts";
import { type BlameQuestion, explainError } from "../insights/blame/explain-error.ts";
import { compareTraces } from "../insights/compare/compare-traces.ts";
import { listPartners } from "../insights/compare/list-partners.ts";
import { type Answer, fitLines } from "./answer.ts";
import { describeDivergence } from "./describe-decision.ts";
import { pageLinks } from "./page-links.ts";
import type { ToolCall } from "./tool.ts";

const MAX_SUSPECTS = 5;
const MAX_ERRORS = 10;
const NOTHING_FAILED =
  "Nothing failed here, so there is no error to explain. get_trace shows what the run did, compare_traces how it differs from another.";
/** In words of our own: the names of options are text of traces. */
const ANSWERS = {
  likely: "The first suspect likely explains this run.",
  possible: "The first suspect possibly explains this run.",
};
const ENDINGS = {
  failed: "The run failed.",
  abandoned: "The run was abandoned: nothing was received of it any more.",
  error: "An error came, and the run got over it.",
  scored: "The run is bad for another reason than an error.",
};

/** Why one run went wrong: the answer first, then suspects, then the nearest run that went well. */
export async function answerBlame(
  call: ToolCall,
  traceId: string,
  asked: Omit<BlameQuestion, "traceId">,
): Promise<Answer> {
  const blame = await explain(call, { traceId, ...asked });
  const nearest = await compareWithNearest(call, blame);
  const { suspects, comparedRuns, badRuns, ending } = blame;
  const suspicion = suspects[0]?.suspicion ?? "none";
  return {
    summary: [
      // Without a suspect the sentence has no text of a trace.
      suspicion === "none" ? blameSentence(blame).text : ANSWERS[suspicion],
      ENDINGS[ending.kind],
      `${comparedRuns} runs of the agent were compared, ${Math.round(badRuns)} of them bad.`,
      ...(blame.error && blame.error.runs > 1 ? [`${blame.error.runs} runs of it had this error.`] : []),
      ...outcomeNotes({ ...blame, runs: comparedRuns }),
      ...("reason" in nearest ? [nearest.reason] : []),
      "Association in the same situation, not cause.",
    ].join(" "),
    lines: fitLines([
      describeRun(blame, call.publicUrl),
      ...suspects
        .slice(0, MAX_SUSPECTS)
        .map((suspect, index) => describeSuspect(suspect, index, blame, call)),
      ...("reason" in nearest ? [] : [nearest]),
    ]),
  };
}

async function explain(call: ToolCall, question: BlameQuestion): Promise<Blame> {
  const explained = await explainError(call, call.workspaceId, question);
  if (!explained) throw new HttpError(400, NOTHING_FAILED);
  return explained;
}

/** The partner of the first suspect, else the nearest run that went well. */
async function compareWithNearest(call: ToolCall, blame: Blame) {
  const { reads, days, workspaceId, publicUrl } = call;
  const { traceId } = blame;
  const list = await listPartners(call, workspaceId, traceId, undefined);
  const nearest = list?.partners.find(isGoodRun);
  const b = blame.partner?.traceId ?? nearest?.traceId;
  if (b === undefined) return { reason: NO_PARTNER[list?.reason ?? "no-other-run"] };
  const comparison = await compareTraces({ reads, days }, workspaceId, { a: traceId, b });
  return {
    nearestGoodRun: {
      traceId: b,
      startedAt: comparison.b.startedAt,
      page: pageLinks(publicUrl).comparison(traceId, b),
      ...(blame.partner === null &&
        nearest?.kind === "same-well" && {
          note: "It decided the same, so decisions do not explain the difference",
        }),
    },
    firstDifference: describeDivergence(comparison),
  };
}

const describeRun = (blame: Blame, publicUrl: string) => {
  const { traceId, agent, error, errors } = blame;
  return {
    says: blameSentence(blame).text,
    traceId,
    page: pageLinks(publicUrl).trace(traceId),
    agent,
    reason: blame.reason && { text: blame.reason.text, place: blame.reason.place },
    otherReasons: blame.reasons
      .filter(({ text }) => text !== blame.reason?.text)
      .slice(0, MAX_ERRORS)
      .map(({ text }) => text),
    error: error && { spanId: error.spanId, name: error.name, message: error.message, at: error.at },
    otherErrors: errors.filter(({ spanId }) => error === null || spanId !== error.spanId).slice(-MAX_ERRORS),
  };
};

const describeSuspect = (suspect: Suspect, index: number, blame: Blame, { publicUrl }: ToolCall) => ({
  rank: index + 1,
  says: suspectSentence(suspect, blame).text,
  suspicion: suspect.suspicion,
  decisionPointId: suspect.decisionPointId,
  type: suspect.type,
  chose: suspect.kind === "chose" ? suspect.option : null,
  leftOut: suspect.kind === "left-out" ? suspect.option : null,
  place: suspect.place,
  msBefore: suspect.beforeMs,
  clue: suspect.clue,
  dithering: suspect.dithering,
  verdict: suspect.verdict && { verdict: suspect.verdict.verdict, note: suspect.verdict.note },
  signature: suspect.signature,
  step: suspect.step,
  page: pageLinks(publicUrl).decision(suspect.signature),
});
