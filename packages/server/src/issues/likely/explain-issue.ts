import { isGoodRun } from "@whytrace/contract";
import type { IssueDetail } from "@whytrace/contract/schemas/issues/issues";
import type { FairDatabase } from "../../db/fair-database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { isOverload } from "../../http/is-overload.ts";
import type { RunLearner } from "../../insights/blame/run-learner.ts";
import { listPartners } from "../../insights/compare/list-partners.ts";
import { findExplanation } from "./find-explanation.ts";
import { nameExplanations, PENDING } from "./name-explanations.ts";

interface ExplainResources {
  reads: FairDatabase;
  learner: RunLearner;
}

type ReadDetail = Omit<IssueDetail, "nearestGoodRun">;

/** Adds what is learnt from other runs: what explains it as of now, and the run to compare the newest one with. */
export async function explainIssue(
  { reads, learner }: ExplainResources,
  workspaceId: WorkspaceId,
  issue: ReadDetail,
): Promise<IssueDetail> {
  const { number, newestTraceId } = issue;
  if (newestTraceId === null) return { ...issue, nearestGoodRun: null };
  try {
    const found = await findExplanation(learner, workspaceId, number);
    const named = await reads.run(workspaceId, (db) =>
      nameExplanations(db, workspaceId, [{ number, agentHash: agentHash(issue.agent), likely: found }]),
    );
    const list = await listPartners({ reads, learner }, workspaceId, newestTraceId, undefined);
    return {
      ...issue,
      ...(named.get(number) ?? PENDING),
      nearestGoodRun: list?.partners.find(isGoodRun)?.traceId ?? null,
    };
  } catch (error) {
    // Too much is learnt at the moment: the page shows what the worker found.
    if (isOverload(error)) return { ...issue, nearestGoodRun: null };
    throw error;
  }
}
