import { decodeDecisionFacts, signDecision } from "@whytrace/contract";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import { latest } from "./latest.ts";
import type { BlameTrace, StoredDecision } from "./read-blame-trace.ts";
import { readDecisionTexts } from "./read-decision-texts.ts";

export interface WalkedDecision extends StoredDecision {
  signature: number;
  step: number;
  /** The decision before it in the order in which decisions are walked. */
  previous: WalkedDecision | null;
}

/** Of a trace whose facts have not been computed yet, so many decisions are read. */
const MAX_SIGNED = 1_000;
const DECISIONS_PER_STEP = 1_000;

/** The decisions of a trace in the order in which insights walk them, with what they are counted as. */
export async function walkedDecisions(
  db: Database,
  userId: string,
  traceId: string,
  { facts, decisions }: BlameTrace,
): Promise<WalkedDecision[]> {
  const known = facts && decodeDecisionFacts(facts);
  const signed = known
    ? known.decisions
    : await signStored(
        db,
        userId,
        traceId,
        latest(decisions, MAX_SIGNED, ({ timestamp }) => timestamp),
      );
  return runInTimeSlices(walk(signed, decisions));
}

interface SignedDecision {
  position: number;
  signature: number;
  step: number;
}

function* walk(
  signed: readonly SignedDecision[],
  decisions: readonly StoredDecision[],
): Generator<undefined, WalkedDecision[]> {
  const byPosition = new Map(decisions.map((decision) => [decision.position, decision]));
  yield;
  const walked: WalkedDecision[] = [];
  for (const [index, { position, signature, step }] of signed.entries()) {
    const decision = byPosition.get(position);
    if (decision) walked.push({ ...decision, signature, step, previous: walked.at(-1) ?? null });
    if (index % DECISIONS_PER_STEP === DECISIONS_PER_STEP - 1) yield;
  }
  return walked;
}

async function signStored(
  db: Database,
  userId: string,
  traceId: string,
  decisions: readonly StoredDecision[],
): Promise<SignedDecision[]> {
  const texts = await readDecisionTexts(
    db,
    userId,
    traceId,
    decisions.map(({ position }) => position),
  );
  return decisions.flatMap(({ position, type }) => {
    const text = texts.get(position);
    return text ? { position, ...signDecision({ type, ...text }) } : [];
  });
}
