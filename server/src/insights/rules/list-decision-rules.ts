import { type DecisionRule, hash32ToHex, signatureToHex } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

export const RULE_COLUMNS = sql.raw(
  "id, agent, signature, type, step, option, kind, min_share, max_share, note, created_at",
);

/** A rule as it is stored: hashes are numbers. */
export interface StoredRule extends Omit<DecisionRule, "signature" | "step"> {
  signature: number;
  step: number;
}

/** The oldest rule first. */
export async function listDecisionRules(db: Database, workspaceId: WorkspaceId): Promise<DecisionRule[]> {
  const { rows } = await sql<StoredRule>`
    select ${RULE_COLUMNS} from decision_rules where workspace_id = ${workspaceId} order by created_at, id`.execute(
    db,
  );
  return rows.map(toDecisionRule);
}

export const toDecisionRule = (rule: StoredRule): DecisionRule => ({
  ...rule,
  signature: signatureToHex(rule.signature),
  step: hash32ToHex(rule.step),
});
