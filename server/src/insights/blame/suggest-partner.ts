import type { FairDatabase } from "../../db/fair-database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { decodeDecisionFacts } from "../../decision-facts/decode-decision-facts.ts";
import { runTurns } from "../findings/runs/run-turns.ts";
import { parseDayRange } from "../insights-range.ts";
import { blameRun } from "./blame-run.ts";
import { findOnset } from "./locate-error.ts";
import { readBlamedRow } from "./read-blamed-row.ts";
import type { RunLearner } from "./run-learner.ts";

/**
 * The run to compare a run that went wrong with: it went well and chose otherwise at the first suspect. Undefined if there is none, or
 * if nothing went wrong.
 */
export async function suggestPartner(
  { reads, learner }: { reads: FairDatabase; learner: RunLearner },
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<string | undefined> {
  const row = await reads.run(workspaceId, (db) => readBlamedRow(db, workspaceId, traceId));
  const facts = row?.facts && decodeDecisionFacts(row.facts);
  if (!facts || row.agentHash === null) return undefined;
  const { status, isOpen, agentHash, written } = row;
  const turns = runTurns(facts);
  const found = findOnset({ status, isOpen, messageKind: facts.messageKind, turns });
  if (!found?.onset) return undefined;
  const lens = found.kind === "error" ? "error" : "failed";
  const query = { agentHash, range: parseDayRange({}), lens, run: { id: traceId, written } } as const;
  const blamed = await blameRun(learner, workspaceId, query, found.onset);
  return blamed?.partner?.traceId;
}
