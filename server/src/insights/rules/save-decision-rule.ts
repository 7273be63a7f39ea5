import { type DecisionRule, MAX_DECISION_RULES_PER_USER } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import { HttpError } from "../../http/http-error.ts";
import { RULE_COLUMNS, type StoredRule, toDecisionRule } from "./list-decision-rules.ts";

export const TOO_MANY_RULES = `Rule limit reached (${MAX_DECISION_RULES_PER_USER})`;

/** Adds a rule, or replaces the one of the same kind for the same option of the same agent. */
export function saveDecisionRule(
  db: Database,
  userId: string,
  rule: Omit<StoredRule, "id" | "createdAt">,
): Promise<DecisionRule> {
  const { agent, signature, type, step, option, kind, minShare, maxShare, note } = rule;
  return transaction(db, async (trx) => {
    // Serializes a user's changes, so that concurrent requests cannot exceed the limit.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`decision-rules ${userId}`}, 0))`.execute(trx);
    await sql`
      delete from decision_rules
      where user_id = ${userId} and agent = ${agent} and signature = ${signature} and step = ${step}
        and kind = ${kind}`.execute(trx);
    const { rows } = await sql<StoredRule>`
      insert into decision_rules
        (user_id, agent, signature, type, step, option, kind, min_share, max_share, note)
      values (${userId}, ${agent}, ${signature}, ${type}, ${step}, ${option}, ${kind}, ${minShare}, ${maxShare},
        ${note})
      returning ${RULE_COLUMNS}`.execute(trx);
    const { rows: counted } = await sql<{ count: number }>`
      select count(*) as count from decision_rules where user_id = ${userId}`.execute(trx);
    const [saved] = rows;
    if (!saved || (counted[0]?.count ?? 0) > MAX_DECISION_RULES_PER_USER)
      throw new HttpError(409, TOO_MANY_RULES);
    return toDecisionRule(saved);
  });
}
