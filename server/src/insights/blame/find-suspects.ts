import {
  type Blame,
  type Dithering,
  errorFingerprint,
  findDithering,
  hash32,
  hash32ToHex,
  MAX_SUSPECTS,
  maskText,
  type Rate,
  type Suspect,
  signatureToHex,
  signDecision,
} from "@whytrace/contract";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import { HttpError } from "../../http/http-error.ts";
import { blameRecord } from "../../verdicts/blame-record.ts";
import type { DayRange, DaysRead } from "../days/read-days.ts";
import { signatureFigures } from "../days/signature-figures.ts";
import { NO_STEP } from "../days/tally.ts";
import { toCandidate } from "./blame-counts.ts";
import { compareChoice } from "./compare-choice.ts";
import { decisionsBefore } from "./decisions-before.ts";
import { findClue } from "./find-clue.ts";
import { findError } from "./find-error.ts";
import { latest } from "./latest.ts";
import { MAX_RANKED, rankSuspects } from "./rank-suspects.ts";
import { readBlameTrace } from "./read-blame-trace.ts";
import { readContexts } from "./read-contexts.ts";
import { type DecisionTexts, readDecisionTexts } from "./read-decision-texts.ts";
import { readErrorNames } from "./read-error-names.ts";
import { readTraceVerdicts } from "./read-trace-verdicts.ts";
import { tallyCounts } from "./tally-counts.ts";
import { TraceErrors } from "./trace-errors.ts";
import { type WalkedDecision, walkedDecisions } from "./walked-decisions.ts";

export const NO_TRACE = "Trace not found";
export const NO_ERROR = "There is no error here";
const MAX_ERRORS = 100;
/** A clue is looked for in the contexts of so many suspects. */
const MAX_CLUES = 3;

/** The decisions before an error, the likeliest cause first. Without `spanId`, of the error that the trace ended with. */
export async function findSuspects(
  db: Database,
  userId: string,
  { days, range }: { days: DaysRead; range: DayRange },
  { traceId, spanId }: { traceId: string; spanId: string | undefined },
): Promise<Omit<Blame, "from" | "to" | "progress">> {
  const trace = await readBlameTrace(db, userId, traceId);
  if (!trace) throw new HttpError(404, NO_TRACE);
  const errors = await runInTimeSlices(TraceErrors.find(trace));
  const error = await findError(db, userId, traceId, { errors, spanId });
  if (!error) throw new HttpError(404, NO_ERROR);
  const [named, ...allNamed] = await readErrorNames(db, userId, { traceId, traceName: trace.name }, [
    error,
    ...errors.list(MAX_ERRORS),
  ]);
  if (!named) throw new HttpError(404, NO_ERROR);

  const { tally } = days;
  const agent = maskText(trace.name);
  const agentRow = trace.agentHash === null ? -1 : tally.findAgent(trace.agentHash);
  const fingerprint = errorFingerprint(named.name, named.message);
  const runsWithError = (step: number) => {
    const row = tally.errors.keys.find(Math.max(0, agentRow), step, fingerprint);
    return agentRow < 0 || row < 0 ? 0 : tally.errors.get(row, 0);
  };

  const walked = await walkedDecisions(db, userId, traceId, trace);
  const before = decisionsBefore(walked, error);
  const nearest = latest(before, MAX_RANKED, ({ timestamp }) => timestamp).reverse();
  const counts = tallyCounts(tally, agentRow, fingerprint);
  const ranked = rankSuspects(
    nearest.map((decision) => toCandidate(decision, counts)),
    counts.agent,
  ).slice(0, MAX_SUSPECTS);
  const shown = ranked.flatMap(({ index, suspicion, score }) => {
    const decision = nearest[index];
    return decision ? { decision, suspicion, score } : [];
  });
  const texts = await readTexts(
    db,
    userId,
    traceId,
    shown.map(({ decision }) => decision),
  );
  const figures = new Map(
    (await signatureFigures(tally, { agent: agentRow })).map((one) => [one.signature, one] as const),
  );
  const dithering = ditheringOf(walked, texts);
  const verdicts = await readTraceVerdicts(db, userId, traceId);
  const around = errors.spansAround(error.spanId);

  const suspects: Suspect[] = [];
  let clues = 0;
  for (const { decision, suspicion, score } of shown) {
    const { type, signature, step, position, parentSpanId, timestamp, previous } = decision;
    const text = texts.get(position);
    if (!text) continue;
    const names = namesOf(decision, text);
    const signatureCounts = figures.get(signature);
    const ratesOf = (one: number): Rate | undefined =>
      signatureCounts?.options.find((option) => option.step === one)?.sums.rate;
    const { after, chosen, alternative } = compareChoice(tally, agentRow, signatureCounts, {
      step,
      before: previous?.step ?? NO_STEP,
      type,
    });
    const isClueSought = suspicion !== "none" && clues < MAX_CLUES;
    if (isClueSought) clues += 1;
    suspects.push({
      decisionPointId: text.id,
      type,
      signature: signatureToHex(signature),
      step: hash32ToHex(step),
      option: names.get(step) ?? "",
      suspicion,
      score,
      beforeMs: Math.max(0, error.at - timestamp),
      isSameSpan: parentSpanId !== null && around.has(parentSpanId),
      place: text.place,
      after: after === null ? null : describeAfter(previous, texts),
      chosen,
      alternative: alternative && {
        step: hash32ToHex(alternative.step),
        option: names.get(alternative.step) ?? "",
        rate: alternative.rate,
      },
      sameError: {
        chosen: runsWithError(step),
        chosenRuns: ratesOf(step)?.runs ?? 0,
        alternative: alternative ? runsWithError(alternative.step) : 0,
        alternativeRuns: alternative ? (ratesOf(alternative.step)?.runs ?? 0) : 0,
      },
      clue: isClueSought
        ? findClue(text.context, await readContexts(db, userId, range, { agent, step }))
        : null,
      dithering: withRetries(dithering.get(position) ?? null, ratesOf(step)),
      verdict: verdicts.get(text.id) ?? null,
    });
  }
  return {
    traceId,
    agent,
    error: {
      ...named,
      fingerprint: hash32ToHex(fingerprint),
      at: new Date(error.at).toISOString(),
      runs: runsWithError(NO_STEP),
    },
    errors: allNamed,
    decisions: before.length,
    suspects,
    record:
      trace.agentHash === null ? { judged: 0, right: 0 } : await blameRecord(db, userId, trace.agentHash),
  };
}

/** Reads the texts of decisions and of those before them, which rates may be limited to. */
function readTexts(db: Database, userId: string, traceId: string, decisions: readonly WalkedDecision[]) {
  const positions = decisions.flatMap(({ position, previous }) => [
    position,
    ...(previous ? [previous.position] : []),
  ]);
  return readDecisionTexts(db, userId, traceId, [...new Set(positions)]);
}

/** The names of a decision's options by step. */
function namesOf({ type, signature }: WalkedDecision, texts: DecisionTexts | undefined): Map<number, string> {
  if (!texts) return new Map();
  const { options } = signDecision({ type, chosen: texts.chosen, alternatives: texts.alternatives });
  return new Map(options.map((option) => [hash32(`${signature}\n${option}`), option]));
}

function describeAfter(
  previous: WalkedDecision | null,
  texts: ReadonlyMap<number, DecisionTexts>,
): NonNullable<Suspect["after"]> {
  if (!previous) return { step: hash32ToHex(NO_STEP), option: "" };
  const option = namesOf(previous, texts.get(previous.position)).get(previous.step) ?? "";
  return { step: hash32ToHex(previous.step), option };
}

/** By position. Only decisions whose texts were read are looked at. */
function ditheringOf(
  walked: readonly WalkedDecision[],
  texts: ReadonlyMap<number, DecisionTexts>,
): Map<number, Dithering | null> {
  const read = walked.flatMap(({ type, signature, position }) => {
    const text = texts.get(position);
    if (!text) return [];
    const { option, options } = signDecision({ type, ...text });
    const { reasoning, context } = text;
    return { position, input: { type, signature, option, options, reasoning, context } };
  });
  const found = findDithering(read.map(({ input }) => input));
  return new Map(read.map(({ position }, index) => [position, found[index] ?? null]));
}

function withRetries(dithering: Dithering | null, rate: Rate | undefined): Dithering | null {
  if (dithering?.kind !== "repeated-retry" || !rate) return dithering;
  return { ...dithering, retries: { total: rate.decisions, recovered: rate.decisions - rate.failed } };
}
