import type { DecisionRule } from "@whytrace/contract";
import { sql } from "kysely";
import { type Origin, recordEvent } from "../../audit/record-event.ts";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import { HttpError } from "../../http/http-error.ts";
import { lockMember } from "../../workspaces/lock-workspace.ts";
import type { MemberSession } from "../../workspaces/member-session.ts";
import { describeRules, RULE_COLUMNS, type StoredRule } from "./list-decision-rules.ts";

const MAX_RULES_PER_WORKSPACE = 100;
export const TOO_MANY_RULES = `Rule limit reached (${MAX_RULES_PER_WORKSPACE})`;

/** Adds a rule, or replaces the one of the same kind for the same option of the same agent. */
export function saveDecisionRule(
  db: Database,
  { workspaceId, user }: MemberSession,
  rule: Omit<StoredRule, "id" | "createdAt" | "createdBy">,
  origin: Origin,
): Promise<DecisionRule> {
  const { agent, signature, type, step, option, kind, minShare, maxShare, note } = rule;
  return transaction(db, async (trx) => {
    await lockMember(trx.directory, { workspaceId, userId: user.id, needed: "member" });
    // Serializes a workspace's changes, so that concurrent requests cannot exceed the limit.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`decision-rules ${workspaceId}`}, 0))`.execute(
      trx,
    );
    await sql`
      delete from decision_rules
      where workspace_id = ${workspaceId} and agent = ${agent} and signature = ${signature} and step = ${step}
        and kind = ${kind}`.execute(trx);
    const { rows } = await sql<StoredRule>`
      insert into decision_rules
        (workspace_id, agent, signature, type, step, option, kind, min_share, max_share, note, created_by)
      values (${workspaceId}, ${agent}, ${signature}, ${type}, ${step}, ${option}, ${kind}, ${minShare}, ${maxShare},
        ${note}, ${user.id})
      returning ${RULE_COLUMNS}`.execute(trx);
    const { rows: counted } = await sql<{ count: number }>`
      select count(*) as count from decision_rules where workspace_id = ${workspaceId}`.execute(trx);
    const [saved] = rows;
    if (!saved || (counted[0]?.count ?? 0) > MAX_RULES_PER_WORKSPACE)
      throw new HttpError(409, TOO_MANY_RULES);
    const [described] = await describeRules(trx, [saved]);
    if (!described) throw new Error("The rule was not described");
    // Last: what is written to the directory may stay if the transaction fails.
    await recordEvent(trx.directory, workspaceId, origin, {
      action: "rule.created",
      target: { kind: "rule", id: saved.id, name: null },
      details: { kind },
    });
    return described;
  });
}
