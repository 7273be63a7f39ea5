import { isGoodRun } from "@whytrace/contract";
import type { IssueDetail } from "@whytrace/contract/schemas/issues/issues";
import type { FairDatabase } from "../../db/fair-database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { HttpError } from "../../http/http-error.ts";
import type { RunLearner } from "../../insights/blame/run-learner.ts";
import { listPartners } from "../../insights/compare/list-partners.ts";
import { findLikely } from "./find-likely.ts";
import { nameLikely } from "./name-likely.ts";

export interface ExplainResources {
  reads: FairDatabase;
  learner: RunLearner;
}

type ReadDetail = Omit<IssueDetail, "nearestGoodRun">;

/** Adds what is learnt from other runs: the likely decision as of now, and the run to compare the newest one with. */
export async function explainIssue(
  { reads, learner }: ExplainResources,
  workspaceId: WorkspaceId,
  issue: ReadDetail,
): Promise<IssueDetail> {
  const { number, newestTraceId } = issue;
  if (newestTraceId === null) return { ...issue, nearestGoodRun: null };
  try {
    const found = await findLikely(learner, workspaceId, number);
    const named = await reads.run(workspaceId, (db) =>
      nameLikely(db, workspaceId, [{ number, agentHash: agentHash(issue.agent), likely: found }]),
    );
    const list = await listPartners({ reads, learner }, workspaceId, newestTraceId, undefined);
    return {
      ...issue,
      likely: named.get(number) ?? null,
      nearestGoodRun: list?.partners.find(isGoodRun)?.traceId ?? null,
    };
  } catch (error) {
    // Too much is learnt at the moment: the page shows what the worker found.
    if (error instanceof HttpError && (error.status === 503 || error.status === 429))
      return { ...issue, nearestGoodRun: null };
    throw error;
  }
}
