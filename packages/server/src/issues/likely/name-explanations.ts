import { hash32ToHex, signatureToHex } from "@whytrace/contract";
import type { Issue } from "@whytrace/contract/schemas/issues/issues";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { readFindingNames } from "../../insights/findings/serve/read-finding-names.ts";
import type { StoredLikely } from "./stored-likely.ts";

interface ExplainedIssue {
  number: number;
  agentHash: number;
  likely: StoredLikely | null;
}

/** The likely decisions of issues with the names of their options, by number. One whose option no run has any more is left out. */
export async function nameLikely(
  db: Database,
  workspaceId: WorkspaceId,
  issues: readonly ExplainedIssue[],
): Promise<ReadonlyMap<number, NonNullable<Issue["likely"]>>> {
  const explained = issues.flatMap(({ likely, ...issue }) => (likely ? { ...issue, likely } : []));
  const named = new Map<number, NonNullable<Issue["likely"]>>();
  for (const [agentHash, own] of Map.groupBy(explained, (issue) => issue.agentHash)) {
    const steps = new Set(
      own.flatMap(({ likely: { step, alternativeStep } }) =>
        alternativeStep === null ? [step] : [step, alternativeStep],
      ),
    );
    const { options } = await readFindingNames(db, workspaceId, agentHash, steps);
    for (const { number, likely } of own) {
      const option = options.get(likely.step)?.option;
      if (option === undefined) continue;
      named.set(number, {
        word: likely.word,
        option,
        alternative:
          likely.alternativeStep === null ? null : (options.get(likely.alternativeStep)?.option ?? null),
        chosen: { failed: likely.failed, decisions: likely.decisions },
        alternativeRate: likely.alternativeRate,
        signature: signatureToHex(likely.signature),
        step: hash32ToHex(likely.step),
      });
    }
  }
  return named;
}
