import type { JudgeAgreement } from "@whytrace/contract/schemas/insights/judges";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { readDefinitions } from "../../outcomes/read-definitions.ts";
import { compareJudgements } from "./compare-judgements.ts";
import { readRunScores } from "./read-run-scores.ts";

interface AgreementOptions {
  name: string;
  author: string | undefined;
  against: string;
  agent: string | undefined;
}

/** How far a judge agrees with people on the runs that both judged. Scores of spans and decisions do not count. */
export async function readAgreement(
  db: Database,
  workspaceId: WorkspaceId,
  { name, author, against, agent }: AgreementOptions,
): Promise<JudgeAgreement> {
  const [judgements, reviews, definitions] = await Promise.all([
    readRunScores(db, workspaceId, { name, author, agent }, ["judge", "code"]),
    readRunScores(db, workspaceId, { name: against, agent }, ["person"]),
    readDefinitions(db, workspaceId),
  ]);
  return {
    name,
    author: author ?? null,
    against,
    ...compareJudgements(judgements, reviews, (hash) => definitions.ofAgent(hash)),
  };
}
