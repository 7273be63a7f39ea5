import type { AlertRule, RuleKind, RuleStateName } from "@whytrace/contract/schemas/alerts/rules";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { PastOfRule } from "../check/read-past.ts";
import type { RuleCondition } from "./rule-condition.ts";

/** A row of `alert_rules`. */
export interface StoredRule {
  id: string;
  kind: RuleKind;
  name: string;
  agent: string | null;
  /** Rules of an older version have no severity. */
  condition: Omit<RuleCondition, "kind" | "name" | "agent" | "severity"> &
    Partial<Pick<RuleCondition, "severity">>;
  state: RuleStateName;
  reason: string | null;
  value: number | null;
  runs: number;
  since: string;
  metSince: string | null;
  clearSince: string | null;
  fewSince: string | null;
  isAnnounced: boolean;
  notifiedAt: string | null;
  mutedUntil: string | null;
  sequence: number;
  incidentId: string | null;
  past: PastOfRule | null;
  pastAt: string | null;
  createdAt: string;
}

export const RULE_COLUMNS = sql.raw(
  "id, kind, name, agent, condition, state, reason, value, runs, since, met_since, clear_since, few_since, is_announced, " +
    "notified_at, muted_until, sequence, incident_id, past, past_at, created_at",
);

export const RULE_NOT_FOUND = "Rule not found";

/** The oldest rule first. */
export async function readRules(db: Database, workspaceId: WorkspaceId): Promise<StoredRule[]> {
  const { rows } = await sql<StoredRule>`
    select ${RULE_COLUMNS} from alert_rules where workspace_id = ${workspaceId} order by created_at, id`.execute(
    db,
  );
  return rows;
}

export const conditionOf = ({ kind, name, agent, condition }: StoredRule): RuleCondition => ({
  kind,
  name,
  agent,
  severity: "error",
  ...condition,
});

export const describeRule = (rule: StoredRule): AlertRule => ({
  id: rule.id,
  ...conditionOf(rule),
  state: rule.state,
  reason: rule.reason,
  value: rule.value,
  runs: rule.runs,
  since: rule.since,
  mutedUntil: rule.mutedUntil,
  createdAt: rule.createdAt,
});

/**
 * Locks the workspace's rules until the transaction ends: who checks or changes them does this first. With `skipLocked`, which is for
 * checks, returns undefined if somebody else has them; without, they are checked at the next tick in any case.
 */
export async function lockRules(
  trx: Database,
  workspaceId: WorkspaceId,
  { skipLocked = false } = {},
): Promise<{ checkedAt: string | null; now: string } | undefined> {
  // Who only checks rules leaves no row of a workspace that is deleted meanwhile.
  if (!skipLocked)
    await sql`
      insert into alert_cursors (workspace_id) values (${workspaceId})
      on conflict (workspace_id) do update set settled_version = null`.execute(trx);
  const { rows } = await sql<{ checkedAt: string | null; now: string }>`
    select checked_at, clock_timestamp() as now from alert_cursors
    where workspace_id = ${workspaceId} for update ${skipLocked ? sql`skip locked` : sql``}`.execute(trx);
  return rows[0];
}
