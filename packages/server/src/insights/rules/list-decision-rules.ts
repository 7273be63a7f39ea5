import { type DecisionRule, hash32ToHex, signatureToHex } from "@whytrace/contract";
import { sql } from "kysely";
import { describeMakers } from "../../auth/created-by.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

export const RULE_COLUMNS = sql.raw(
  "id, agent, signature, type, step, option, kind, min_share, max_share, note, created_at, created_by",
);

/** A rule as it is stored: hashes are numbers. */
export interface StoredRule extends Omit<DecisionRule, "signature" | "step" | "createdBy"> {
  signature: number;
  step: number;
  createdBy: string | null;
}

/** The oldest rule first. */
export async function listDecisionRules(db: Database, workspaceId: WorkspaceId): Promise<DecisionRule[]> {
  const { rows } = await sql<StoredRule>`
    select ${RULE_COLUMNS} from decision_rules where workspace_id = ${workspaceId} order by created_at, id`.execute(
    db,
  );
  return describeRules(db, rows);
}

export async function describeRules(db: Database, rules: readonly StoredRule[]): Promise<DecisionRule[]> {
  const described = await describeMakers(db.directory, rules);
  return described.map((rule) => ({
    ...rule,
    signature: signatureToHex(rule.signature),
    step: hash32ToHex(rule.step),
  }));
}
