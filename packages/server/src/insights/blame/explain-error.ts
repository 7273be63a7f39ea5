import { type Blame, hash32ToHex, maskText } from "@whytrace/contract";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { FairDatabase } from "../../db/fair-database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { decodeDecisionFacts } from "../../decision-facts/decode-decision-facts.ts";
import { errorFingerprint } from "../../decision-facts/error-fingerprint.ts";
import { TraceErrors } from "../../decision-facts/trace-errors.ts";
import { HttpError } from "../../http/http-error.ts";
import type { JudgedReason } from "../../outcomes/judged-reason.ts";
import { mixedJudging, readJudging } from "../../trace-store/outcomes/outcome-jobs.ts";
import { blameRecord } from "../../verdicts/blame-record.ts";
import type { DaysReader } from "../days/days-reader.ts";
import type { DayRange } from "../days/read-days.ts";
import { NO_STEP, type Tally } from "../days/tally.ts";
import { type RunTurn, runTurns } from "../findings/runs/run-turns.ts";
import { addAnswers, describeLeftOut } from "../findings/serve/describe-findings.ts";
import { slotConnections } from "../findings/stored/findings-connections.ts";
import { describeRange, parseDayRange } from "../insights-range.ts";
import { type BlamedRun, blameRun } from "./blame-run.ts";
import { describeSuspects } from "./describe-suspects.ts";
import { findError } from "./find-error.ts";
import { type LocatedError, locateError } from "./locate-error.ts";
import { type LocatedReason, locateReason } from "./locate-reason.ts";
import { type BlameTrace, readBlameTrace } from "./read-blame-trace.ts";
import { readErrorNames } from "./read-error-names.ts";
import { readReasons } from "./read-reasons.ts";
import type { RunLearner } from "./run-learner.ts";

export const NO_TRACE = "Trace not found";
const MAX_ERRORS = 100;
const MAX_REASONS = 100;

export interface BlameResources {
  reads: FairDatabase;
  days: DaysReader;
  learner: RunLearner;
}

/** What of a run is to be explained. Default: why it failed or was abandoned, else its main reason, else its first error. */
export interface BlameQuestion {
  traceId: string;
  /** A span that failed. */
  spanId?: string | undefined;
  /** The number of a reason for which the run is bad. */
  reason?: number | undefined;
}

/**
 * Ranks the decisions before a run went wrong by what followed them in runs of the agent, of the last 30 days. Undefined if nothing went
 * wrong there.
 */
export async function explainError(
  { reads, days, learner }: BlameResources,
  workspaceId: WorkspaceId,
  question: BlameQuestion,
): Promise<Blame | undefined> {
  const range = parseDayRange({});
  const wrong = await slotConnections(reads).snapshot(workspaceId, (db) =>
    readWrongRun(db, workspaceId, question),
  );
  if (!wrong) return undefined;
  const { traceId } = question;
  const { trace, located, byReason } = wrong;
  const { agentHash, written } = trace;
  const lens = byReason?.lens ?? (located.kind === "error" ? "error" : "failed");
  const blamed =
    located.onset && agentHash !== null
      ? await blameRun(
          learner,
          workspaceId,
          { agentHash, range, lens, run: { id: traceId, written } },
          located.onset,
        )
      : undefined;
  return days.read(
    workspaceId,
    range,
    async (read, db) => ({
      ...describeRange(range, read),
      ...(await describeMixed(db, workspaceId, lens === "scored" ? agentHash : null)),
      ...(await describeBlame(db, workspaceId, { ...wrong, traceId, range, blamed, tally: read.tally })),
    }),
    { sections: ["errors"] },
  );
}

/** Says that runs of both definitions were compared, while those of the agent are judged again. */
async function describeMixed(
  db: Database,
  workspaceId: WorkspaceId,
  agentHash: number | null,
): Promise<Pick<Blame, "judging">> {
  const judging = agentHash === null ? undefined : await readJudging(db, workspaceId, agentHash);
  return judging ? { judging: mixedJudging(judging) } : {};
}

interface WrongRun {
  trace: BlameTrace;
  turns: readonly RunTurn[];
  /** When a turn began. */
  timeOf: (turn: RunTurn) => number;
  errors: TraceErrors<number>;
  located: LocatedError;
  /** Undefined if an error is explained, or that the run was abandoned. */
  byReason: LocatedReason | undefined;
  reasons: readonly JudgedReason[];
}

async function readWrongRun(
  db: Database,
  workspaceId: WorkspaceId,
  { traceId, spanId, reason: wanted }: BlameQuestion,
): Promise<WrongRun | undefined> {
  const trace = await readBlameTrace(db, workspaceId, traceId);
  if (!trace) throw new HttpError(404, NO_TRACE);
  const errors = await runInTimeSlices(TraceErrors.find(trace));
  const asked =
    spanId === undefined ? undefined : await findError(db, workspaceId, traceId, { errors, spanId });
  if (spanId !== undefined && !asked) return undefined;
  const facts = trace.facts && decodeDecisionFacts(trace.facts);
  const turns = facts ? runTurns(facts) : [];
  const times = new Map(trace.decisions.map(({ position, timestamp }) => [position, timestamp]));
  const timeOf = ({ decisions }: RunTurn) =>
    decisions.reduce((first, { position }) => Math.min(first, times.get(position) ?? first), Infinity);
  const { status, isOpen } = trace;
  const run = { status, isOpen, messageKind: facts?.messageKind ?? 0, turns };
  const { reasons, marksOf } = await readReasons(db, workspaceId, traceId);
  const found = locateError(run, errors, timeOf, asked);
  // A run that failed is explained by its error, unless a reason is asked for.
  const isByReason = wanted !== undefined || (!asked && (!found || found.kind === "error"));
  const reason = isByReason ? reasons[wanted ?? 0] : undefined;
  if (wanted !== undefined && !reason) return undefined;
  const byReason = reason && locateReason(turns, reason, await marksOf(reason));
  const located: LocatedError | undefined = byReason
    ? { kind: "scored", onset: byReason.onset, error: undefined }
    : found;
  return located && { trace, turns, timeOf, errors, located, byReason, reasons };
}

interface DescribedRun extends WrongRun {
  traceId: string;
  range: DayRange;
  blamed: BlamedRun | undefined;
  tally: Tally;
}

async function describeBlame(
  db: Database,
  workspaceId: WorkspaceId,
  { traceId, trace, turns, timeOf, errors, located, byReason, reasons, range, blamed, tally }: DescribedRun,
): Promise<Omit<Blame, "from" | "to" | "progress">> {
  const { agentHash } = trace;
  const { kind, onset, error } = located;
  const [named, ...allNamed] = await readErrorNames(db, workspaceId, { traceId, traceName: trace.name }, [
    ...(error ? [error] : []),
    ...errors.list(MAX_ERRORS),
  ]);
  const fingerprint = named && error ? errorFingerprint(named.name, named.message) : 0;
  const agentRow = agentHash === null ? -1 : tally.findAgent(agentHash);
  const runsWith = (print: number) => {
    const row = agentRow < 0 ? -1 : tally.errors.keys.find(agentRow, NO_STEP, print);
    return row < 0 ? 0 : tally.errors.get(row, 0);
  };
  const atRisk = byReason?.atRisk ?? (onset ? turns.slice(0, onset.turn + 1) : []);
  const onsetTurn = atRisk.at(-1);
  const agent = maskText(trace.name);
  return {
    traceId,
    agent,
    ending: { kind, turn: onset?.turn ?? null, isCircle: onset?.isCircle ?? false },
    error:
      named && error
        ? {
            ...named,
            fingerprint: hash32ToHex(fingerprint),
            at: new Date(error.at).toISOString(),
            runs: runsWith(fingerprint),
          }
        : null,
    reason: byReason ? describeReason(byReason.reason, runsWith) : null,
    reasons: reasons.slice(0, MAX_REASONS).map((reason) => describeReason(reason, runsWith)),
    errors: error ? allNamed : named ? [named, ...allNamed] : [],
    decisions: atRisk.reduce((sum, { decisions }) => sum + decisions.length, 0),
    suspects: await describeSuspects(db, workspaceId, {
      traceId,
      agent: { name: agent, hash: agentHash },
      range,
      atRisk,
      timeOf,
      wentWrongAt:
        error?.at ?? (byReason ? trace.endedAt : null) ?? (onsetTurn ? timeOf(onsetTurn) : trace.startedAt),
      blamed,
    }),
    comparedRuns: blamed?.comparedRuns ?? 0,
    badRuns: blamed?.badRuns ?? 0,
    leftOut: describeLeftOut(blamed?.learnt.judged.leftOut ?? { unknown: 0, notAsked: 0 }),
    answers: addAnswers(blamed ? [blamed.learnt.judged] : []),
    partner: blamed?.partner ?? null,
    record: agentHash === null ? { judged: 0, right: 0 } : await blameRecord(db, workspaceId, agentHash),
  };
}

const describeReason = (
  { condition, kind, text, place, scoreId, fingerprint }: JudgedReason,
  runsWith: (fingerprint: number) => number,
): NonNullable<Blame["reason"]> => ({
  condition,
  kind,
  text,
  place,
  scoreId,
  fingerprint: fingerprint === null ? null : hash32ToHex(fingerprint),
  runs: fingerprint === null ? 0 : runsWith(fingerprint),
});
