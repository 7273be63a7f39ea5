import { randomUUID } from "node:crypto";
import { type AlertRule, MAX_RULES, type RuleBody } from "@whytrace/contract/schemas/alerts/rules";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { HttpError } from "../../http/http-error.ts";
import { parseRule } from "./parse-rule.ts";
import type { RuleCondition } from "./rule-condition.ts";
import {
  conditionOf,
  describeRule,
  lockRules,
  RULE_COLUMNS,
  RULE_NOT_FOUND,
  readRules,
  type StoredRule,
} from "./stored-rule.ts";

export type NamedRule = Pick<StoredRule, "id" | "name">;

export const RULE_LIMIT_REACHED = `Rule limit reached (${MAX_RULES})`;

const storedCondition = ({ kind: _kind, name: _name, agent: _agent, ...condition }: RuleCondition) =>
  JSON.stringify(condition);

export async function createRule(
  trx: Database,
  workspaceId: WorkspaceId,
  rule: RuleCondition,
  createdBy: string,
): Promise<AlertRule> {
  await lockRules(trx, workspaceId);
  if ((await readRules(trx, workspaceId)).length >= MAX_RULES) throw new HttpError(409, RULE_LIMIT_REACHED);
  const { rows } = await sql<StoredRule>`
    insert into alert_rules (workspace_id, id, kind, name, agent, condition, created_by)
    values (${workspaceId}, ${randomUUID()}, ${rule.kind}, ${rule.name}, ${rule.agent}, ${storedCondition(rule)}::jsonb, ${createdBy})
    returning ${RULE_COLUMNS}`.execute(trx);
  const [created] = rows;
  if (!created) throw new Error("The rule was not inserted");
  return describeRule(created);
}

async function requireRule(trx: Database, workspaceId: WorkspaceId, id: string): Promise<StoredRule> {
  await lockRules(trx, workspaceId);
  const { rows } = await sql<StoredRule>`
    select ${RULE_COLUMNS} from alert_rules where workspace_id = ${workspaceId} and id::text = ${id}`.execute(
    trx,
  );
  const [rule] = rows;
  if (!rule) throw new HttpError(404, RULE_NOT_FOUND);
  return rule;
}

/** What can change without the condition being another one. */
const SAME_CONDITION: ReadonlySet<string> = new Set([
  "name",
  "renotifyHours",
  "channels",
  "mail",
  "severity",
]);

/** Changes what is given. Another condition begins anew, without a message. */
export async function changeRule(
  trx: Database,
  workspaceId: WorkspaceId,
  id: string,
  body: RuleBody,
): Promise<AlertRule> {
  const rule = await requireRule(trx, workspaceId, id);
  const before = conditionOf(rule);
  // A limit takes the place of the comparison with the past, and the other way round.
  const other =
    body.above != null ? { comparedWith: null } : body.comparedWith != null ? { above: null } : {};
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  const after = parseRule({ ...before, ...other, ...given });
  const isOther = Object.entries(after).some(
    ([field, value]) =>
      !SAME_CONDITION.has(field) && value !== Object.entries(before).find(([name]) => name === field)?.[1],
  );
  if (isOther) {
    await endIncident(trx, workspaceId, rule, "The rule was changed");
    await sql`
      update alert_rules set state = 'no_data', reason = null, value = null, runs = 0, since = now(), met_since = null,
        clear_since = null, few_since = null, is_announced = false, notified_at = null, incident_id = null, past = null, past_at = null
      where workspace_id = ${workspaceId} and id = ${rule.id}`.execute(trx);
  }
  const { rows } = await sql<StoredRule>`
    update alert_rules set kind = ${after.kind}, name = ${after.name}, agent = ${after.agent},
      condition = ${storedCondition(after)}::jsonb
    where workspace_id = ${workspaceId} and id = ${rule.id} returning ${RULE_COLUMNS}`.execute(trx);
  return describeRule(rows[0] ?? rule);
}

/** Returns the rule that it deleted. */
export async function deleteRule(trx: Database, workspaceId: WorkspaceId, id: string): Promise<NamedRule> {
  const rule = await requireRule(trx, workspaceId, id);
  await endIncident(trx, workspaceId, rule, "The rule was deleted");
  await sql`delete from alert_rules where workspace_id = ${workspaceId} and id = ${rule.id}`.execute(trx);
  return rule;
}

/** Null ends the mute. Returns the rule. */
export async function muteRule(
  trx: Database,
  workspaceId: WorkspaceId,
  id: string,
  until: string | null,
): Promise<NamedRule> {
  const rule = await requireRule(trx, workspaceId, id);
  await sql`
    update alert_rules set muted_until = ${until} where workspace_id = ${workspaceId} and id = ${rule.id}`.execute(
    trx,
  );
  return rule;
}

async function endIncident(
  trx: Database,
  workspaceId: WorkspaceId,
  { incidentId }: StoredRule,
  reason: string,
): Promise<void> {
  if (incidentId === null) return;
  await sql`
    update alert_incidents set ended_at = now(), reason = ${reason}
    where workspace_id = ${workspaceId} and id = ${incidentId}`.execute(trx);
}
