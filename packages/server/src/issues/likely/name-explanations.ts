import { hash32ToHex, signatureToHex } from "@whytrace/contract";
import type { Issue } from "@whytrace/contract/schemas/issues/issues";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { readFindingNames } from "../../insights/findings/serve/read-finding-names.ts";
import type { StoredExplanation } from "./stored-explanation.ts";

interface ExplainedIssue {
  number: number;
  agentHash: number;
  likely: StoredExplanation | null;
}

type Explanation = Pick<Issue, "likely" | "unexplained">;

export const PENDING: Explanation = {
  likely: null,
  unexplained: { reason: "pending", comparedRuns: 0, badRuns: 0 },
};

/** What explains issues, with the names of options, by number. One whose option no run has any more is left out. */
export async function nameExplanations(
  db: Database,
  workspaceId: WorkspaceId,
  issues: readonly ExplainedIssue[],
): Promise<ReadonlyMap<number, Explanation>> {
  const named = new Map<number, Explanation>();
  const explained = issues.flatMap(({ likely, ...issue }) => {
    if (likely && likely.word !== "none") return { ...issue, likely };
    if (likely) {
      const { reason, comparedRuns, badRuns } = likely;
      named.set(issue.number, { likely: null, unexplained: { reason, comparedRuns, badRuns } });
    }
    return [];
  });
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
      const shown = {
        word: likely.word,
        option,
        alternative:
          likely.alternativeStep === null ? null : (options.get(likely.alternativeStep)?.option ?? null),
        chosen: { failed: likely.failed, decisions: likely.decisions },
        alternativeRate: likely.alternativeRate,
        signature: signatureToHex(likely.signature),
        step: hash32ToHex(likely.step),
      };
      named.set(number, { likely: shown, unexplained: null });
    }
  }
  return named;
}
