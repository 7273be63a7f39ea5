import type { WorkspaceId } from "../../db/workspace-id.ts";
import { decodeDecisionFacts } from "../../decision-facts/decode-decision-facts.ts";
import { OUTCOME_FLAGS } from "../../outcomes/judge-run.ts";
import { decodeMarks } from "../../outcomes/marks.ts";
import { runTurns } from "../findings/runs/run-turns.ts";
import { parseDayRange } from "../insights-range.ts";
import { type BlamedRun, blameRun } from "./blame-run.ts";
import { findOnset } from "./locate-error.ts";
import { findMarkedOnset } from "./locate-reason.ts";
import { readBlamedRow } from "./read-blamed-row.ts";
import type { RunLearner } from "./run-learner.ts";

/** An outcome, as it is stored. */
const BAD = 1;

interface StoredBlameQuestion {
  traceId: string;
  /** Explain the reasons for which the run is bad, although it failed, too. */
  isByReason?: boolean;
}

/**
 * Blames a run without reading its texts: for its failure, or else for the reasons for which it is bad. Undefined if nothing went wrong,
 * or if nothing was decided before.
 */
export async function blameStoredRun(
  learner: RunLearner,
  workspaceId: WorkspaceId,
  { traceId, isByReason: isReasonWanted = false }: StoredBlameQuestion,
): Promise<BlamedRun | undefined> {
  const row = await learner.connections.run(workspaceId, (db) => readBlamedRow(db, workspaceId, traceId));
  const facts = row?.facts && decodeDecisionFacts(row.facts);
  if (!facts || row.agentHash === null) return undefined;
  const { status, isOpen, agentHash, written } = row;
  const turns = runTurns(facts);
  const found = findOnset({ status, isOpen, messageKind: facts.messageKind, turns });
  const isByReason = row.outcome === BAD && (isReasonWanted || !found || found.kind === "error");
  const onset = isByReason ? findMarkedOnset(turns, decodeMarks(row.marks)) : found?.onset;
  if (!onset) return undefined;
  const isScored = (row.outcomeFlags & OUTCOME_FLAGS.badByScores) !== 0;
  const lens = isByReason ? (isScored ? "scored" : "failed") : found?.kind === "error" ? "error" : "failed";
  const query = { agentHash, range: parseDayRange({}), lens, run: { id: traceId, written } } as const;
  return blameRun(learner, workspaceId, query, onset);
}
