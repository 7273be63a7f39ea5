import type { Retention } from "@whytrace/contract";
import type { Tier } from "@whytrace/contract/schemas/billing";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";

/*
 * How long traces are kept is limited by the installation, by the plan and by the user; the smallest number of days counts.
 * Null means no limit.
 */

/** What the configuration says. */
export interface RetentionLimits {
  installationDays: number | null;
  planDays: Readonly<Record<Tier, number | null>>;
}

/** The delay until the days of a new plan apply, so that a failed payment or a wrong click does not delete anything at once. */
const GRACE_HOURS = 7 * 24;

interface StoredRetention {
  tier: Tier;
  chosenDays: number | null;
  /** When the days of the plan start to apply, if that is in the future. */
  planFrom: string | null;
}

const PLAN_FROM = sql`tier_changed_at + ${sql.lit(GRACE_HOURS)} * interval '1 hour'`;
const COLUMNS = sql`tier, retention_days as chosen_days, case when ${PLAN_FROM} > now() then ${PLAN_FROM} end as plan_from`;

const smallest = (...days: (number | null)[]): number | null => {
  const limits = days.filter((limit) => limit !== null);
  return limits.length > 0 ? Math.min(...limits) : null;
};

function describeRetention(
  { tier, chosenDays, planFrom }: StoredRetention,
  { installationDays, planDays }: RetentionLimits,
): Retention {
  const withoutPlan = smallest(installationDays, chosenDays);
  const withPlan = smallest(withoutPlan, planDays[tier]);
  const isPlanned = planFrom !== null && withPlan !== null && withPlan !== withoutPlan;
  return {
    days: planFrom === null ? withPlan : withoutPlan,
    chosenDays,
    maxDays: smallest(installationDays, planDays[tier]),
    planned: isPlanned ? { days: withPlan, from: planFrom } : null,
    plans: (["FREE", "STARTER", "PRO"] as const).map((name) => ({
      tier: name,
      days: smallest(installationDays, planDays[name]),
    })),
  };
}

export async function readRetention(
  db: Database,
  workspaceId: WorkspaceId,
  limits: RetentionLimits,
): Promise<Retention> {
  const { rows } = await sql<StoredRetention>`
    select ${COLUMNS} from subscriptions where workspace_id = ${workspaceId}`.execute(db);
  if (!rows[0]) throw new HttpError(403, "No subscription found for this user");
  return describeRetention(rows[0], limits);
}

/** For how many days the user chose to keep their traces; null: as long as possible. */
export async function readChosenDays(db: Database, workspaceId: WorkspaceId): Promise<number | null> {
  const { rows } = await sql<{ days: number | null }>`
    select retention_days as days from subscriptions where workspace_id = ${workspaceId}`.execute(db);
  return rows[0]?.days ?? null;
}

/**
 * Returns how many days are in force, and keeps them in force until the transaction ends: a change of plan or of the user's
 * choice waits. Returns null if traces are kept, or if the account was deleted.
 */
export async function lockRetentionDays(
  trx: Database,
  workspaceId: WorkspaceId,
  limits: RetentionLimits,
): Promise<number | null> {
  const { rows } = await sql<StoredRetention>`
    select ${COLUMNS} from subscriptions where workspace_id = ${workspaceId} for share`.execute(trx);
  return rows[0] ? describeRetention(rows[0], limits).days : null;
}

/** Users whose traces are not kept without a limit, after a user, in the order of their ids. */
export async function listLimitedWorkspaces(
  db: Database,
  limits: RetentionLimits,
  after: string,
  maxWorkspaces: number,
): Promise<{ workspaceId: WorkspaceId; days: number | null }[]> {
  const hasLimitedPlan = smallest(limits.installationDays, ...Object.values(limits.planDays)) !== null;
  const { rows } = await sql<StoredRetention & { workspaceId: WorkspaceId }>`
    select workspace_id, ${COLUMNS} from subscriptions
    where workspace_id > ${after} and (retention_days is not null or ${hasLimitedPlan})
    order by workspace_id limit ${maxWorkspaces}`.execute(db);
  return rows.map(({ workspaceId, ...stored }) => ({
    workspaceId,
    days: describeRetention(stored, limits).days,
  }));
}
