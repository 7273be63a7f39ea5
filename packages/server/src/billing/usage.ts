import { UNLIMITED_SESSIONS } from "@whytrace/contract";
import type { Tier } from "@whytrace/contract/schemas/billing";
import { type RawBuilder, sql } from "kysely";
import { batchedRead } from "../db/batched-read.ts";
import type { Database } from "../db/database.ts";
import { forEachWorkspace } from "../db/statements/for-each-workspace.ts";
import { joinedOrApart } from "../db/statements/joined-or-apart.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { listOwners } from "../workspaces/list-owners.ts";
import { readWorkspaceAddress } from "../workspaces/workspace-address.ts";
import { usageMail } from "./mails.ts";
import { TIERS } from "./tiers.ts";

export interface Usage {
  tier: Tier;
  sessionsLimit: number;
  /** FREE: traces created since UTC midnight, including deleted ones. Other tiers: traces in the current period. */
  sessionsUsed: number;
  secondsToReset: number;
}

const UTC_TODAY = sql`(now() at time zone 'utc')::date`;
const UTC_MIDNIGHT = sql`date_trunc('day', now() at time zone 'utc') at time zone 'utc'`;
const UTC_MONTH = sql`date_trunc('month', now() at time zone 'utc')::date`;

/** Without a current period of the provider, a paid plan counts by UTC month: this is the count of an earlier month. */
const isEarlierMonth = sql`((period_end is null or period_end <= now()) and usage_month < ${UTC_MONTH})`;
// Not a CASE: it contains now() and is assigned (`DISTRIBUTED_TABLES`).
const paidSessionsUsed = sql`(sessions_used * (not ${isEarlierMonth})::integer)`;

/** How many traces a user created since UTC midnight, including deleted ones. Counts at most `maxRows` that exist. */
const countedToday = (
  workspaceId: RawBuilder<unknown>,
  maxRows: RawBuilder<unknown>,
) => sql`((select count(*) from (
    select from traces where workspace_id = ${workspaceId} and created_at >= ${UTC_MIDNIGHT} limit ${maxRows}
  ) as today)
  + coalesce((
    select deleted_count from trace_totals where workspace_id = ${workspaceId} and deleted_on = ${UTC_TODAY}
  ), 0))`;

/**
 * SQL of `sessionsUsed` for a row of subscriptions. FREE counts at most `maxRows` traces, to bound the cost. An ingest
 * request counts twice: before its body is read, to refuse it early, and with the subscription locked, because only that
 * count is exact. For a limit of 1,000 a count takes 0.2 ms. A statement about one user passes the `workspaceId`, because
 * subqueries need it as a value (`DISTRIBUTED_TABLES`).
 */
export const sessionsUsedSql = (
  workspaceId: RawBuilder<unknown> = sql`subscriptions.workspace_id`,
  maxRows = sql`null`,
) => sql`(case when tier <> 'FREE' then ${paidSessionsUsed} else ${countedToday(workspaceId, maxRows)} end)`;

/** When the usage resets: FREE at UTC midnight, other tiers at the end of their period or else of the UTC month. */
export const resetsAtSql = sql`(case
  when tier = 'FREE' then (date_trunc('day', now() at time zone 'utc') + interval '1 day') at time zone 'utc'
  when period_end > now() then period_end
  else (date_trunc('month', now() at time zone 'utc') + interval '1 month') at time zone 'utc' end)`;

/** When the current period of the usage began. */
export const periodStartSql = sql`(${resetsAtSql} - (case when tier = 'FREE' then interval '1 day' else interval '1 month' end))`;

const SECONDS_TO_RESET = sql`ceil(extract(epoch from ${resetsAtSql} - now()))::integer as seconds_to_reset`;

/** The columns of `Usage`. Counts at most `ownTraces` more than the limit: the traces of the current transaction. */
export const usageColumns = (workspaceId?: RawBuilder<unknown>, ownTraces = 0) => sql`tier, sessions_limit,
  case when sessions_limit = ${UNLIMITED_SESSIONS} and tier = 'FREE' then 0
       else ${sessionsUsedSql(workspaceId, sql`sessions_limit::bigint + ${ownTraces}`)} end as sessions_used,
  ${SECONDS_TO_RESET}`;

/** Usage by user id; users without a subscription are missing. */
async function readUsages(db: Database, workspaceIds: WorkspaceId[]): Promise<Map<WorkspaceId, Usage>> {
  const rows = await joinedOrApart(db, {
    joined: () => readJoined(db, workspaceIds, 0),
    apart: () => readApart(db, workspaceIds, 0),
  });
  return byWorkspace(rows);
}

type UsageRow = Usage & { workspaceId: WorkspaceId };

const byWorkspace = (rows: UsageRow[]): Map<WorkspaceId, Usage> =>
  new Map(rows.map(({ workspaceId, ...usage }) => [workspaceId, usage]));

async function readJoined(db: Database, workspaceIds: WorkspaceId[], ownTraces: number): Promise<UsageRow[]> {
  const [only, ...others] = workspaceIds;
  const columns =
    others.length > 0 ? usageColumns(undefined, ownTraces) : usageColumns(sql`${only}`, ownTraces);
  const { rows } = await sql<UsageRow>`/* prepared */
    select subscriptions.workspace_id, ${columns} from subscriptions where ${hasWorkspace(workspaceIds)}`.execute(
    db,
  );
  return rows;
}

/** Reads by itself what only FREE needs. */
async function readApart(
  db: Database,
  workspaceIds: WorkspaceId[],
  ownTraces: number,
  lock = sql``,
): Promise<UsageRow[]> {
  const { rows } = await sql<UsageRow>`${sql.raw(workspaceIds.length === 1 ? "/* prepared */" : "")}
    select workspace_id, tier, sessions_limit, ${paidSessionsUsed} as sessions_used, ${SECONDS_TO_RESET}
    from subscriptions where ${hasWorkspace(workspaceIds)} ${lock}`.execute(db);
  return Promise.all(
    rows.map(async (usage) => {
      if (usage.tier !== "FREE") return usage;
      if (usage.sessionsLimit === UNLIMITED_SESSIONS) return { ...usage, sessionsUsed: 0 };
      const maxRows = sql`${usage.sessionsLimit + ownTraces}::bigint`;
      const { rows: counted } = await sql<{ count: number }>`/* prepared */
        select ${countedToday(sql`${usage.workspaceId}`, maxRows)} as count`.execute(db);
      return { ...usage, sessionsUsed: counted[0]?.count ?? 0 };
    }),
  );
}

const hasWorkspace = (workspaceIds: WorkspaceId[]) =>
  workspaceIds.length === 1
    ? sql`subscriptions.workspace_id = ${workspaceIds[0]}`
    : sql`subscriptions.workspace_id = any(${workspaceIds}::uuid[])`;

/** Reads the usage of several workspaces at once if they are requested at the same time. */
export const readUsage = batchedRead(readUsages);

/** Throws 403 without a subscription and 429 if the limit is reached. */
export function checkUsage(usage: Usage | undefined): asserts usage is Usage {
  if (!usage) throw new HttpError(403, "No subscription found for this user");
  const { tier, sessionsLimit, sessionsUsed, secondsToReset } = usage;
  if (sessionsUsed < sessionsLimit) return;
  throw HttpError.tooManyRequests(
    `Rate limit exceeded. Current plan: ${tier}. Limit: ${sessionsLimit}/${TIERS[tier].period}. Upgrade at /settings/billing`,
    secondsToReset,
  );
}

/** Blocks concurrent usage changes of these workspaces until the transaction ends. */
async function lockSubscriptions(trx: Database, workspaceIds: WorkspaceId[]): Promise<void> {
  await sql`/* prepared */
    select from subscriptions where ${hasWorkspace(workspaceIds)} order by workspace_id for update`.execute(
    trx,
  );
}

async function lockAndReadUsages(
  trx: Database,
  workspaceIds: WorkspaceId[],
  ownTraces: number,
): Promise<Map<WorkspaceId, Usage>> {
  const rows = await joinedOrApart(trx, {
    joined: async () => {
      const [, usages] = await Promise.all([
        lockSubscriptions(trx, workspaceIds),
        readJoined(trx, workspaceIds, ownTraces),
      ]);
      return usages;
    },
    apart: () =>
      forEachWorkspace(trx, workspaceIds, (ids) => readApart(trx, ids, ownTraces, sql`for update`)),
  });
  return byWorkspace(rows);
}

async function addUsage(trx: Database, added: { workspaceId: WorkspaceId; count: number }[]): Promise<void> {
  const counted = (count: RawBuilder<unknown>) =>
    sql`update subscriptions set sessions_used = ${paidSessionsUsed} + ${count}, usage_month = ${UTC_MONTH}`;
  await forEachWorkspace(trx, added, async (workspaces) => {
    const [only, ...others] = workspaces;
    const statement =
      only && others.length === 0
        ? sql`/* prepared */ ${counted(sql`${only.count}::integer`)} where workspace_id = ${only.workspaceId} and tier <> 'FREE'`
        : sql`/* prepared */ ${counted(sql`added.count`)}
            from json_to_recordset(${JSON.stringify(workspaces)}::json) as added ("workspaceId" uuid, count integer)
            where workspace_id = added."workspaceId" and tier <> 'FREE'`;
    return (await statement.execute(trx)).rows;
  });
}

/** What a transaction adds to a user's usage. */
interface UsageChange {
  workspaceId: WorkspaceId;
  /** The number of new traces of each request. */
  newTraces: number[];
}

/** A request used up 80 or 100 % of a plan. */
export interface CrossedThreshold extends Pick<Usage, "tier" | "sessionsLimit"> {
  workspaceId: WorkspaceId;
  percent: 80 | 100;
}

/**
 * Near the end of an ingest transaction: locks the subscriptions, checks the limits again, and counts the new traces of
 * each request. A request is checked before its own traces are counted: one batch may exceed the limit, concurrent
 * requests may not. Returns the thresholds that requests crossed.
 */
export async function countUsage(trx: Database, changes: UsageChange[]): Promise<CrossedThreshold[]> {
  if (changes.length === 0) return [];
  const workspaceIds = changes.map(({ workspaceId }) => workspaceId);
  const added = changes.map(({ workspaceId, newTraces }) => ({
    workspaceId,
    count: newTraces.reduce((sum, count) => sum + count, 0),
  }));
  // The statements share a round trip but run in order: the read sees everything committed before the lock.
  const [usages] = await Promise.all([
    lockAndReadUsages(trx, workspaceIds, Math.max(...added.map(({ count }) => count))),
    addUsage(trx, added),
  ]);
  const crossed: CrossedThreshold[] = [];
  for (const { workspaceId, newTraces } of changes) {
    const usage = usages.get(workspaceId);
    // FREE counts stored rows, which already include those of this transaction.
    if (usage?.tier === "FREE") usage.sessionsUsed -= newTraces.reduce((sum, count) => sum + count, 0);
    for (const count of newTraces) {
      checkUsage(usage);
      const percent = crossedPercent(usage, count);
      if (percent)
        crossed.push({ workspaceId, percent, tier: usage.tier, sessionsLimit: usage.sessionsLimit });
      usage.sessionsUsed += count;
    }
  }
  return crossed;
}

function crossedPercent({ sessionsUsed, sessionsLimit }: Usage, newTraces: number): 80 | 100 | undefined {
  const crosses = (threshold: number) => sessionsUsed < threshold && sessionsUsed + newTraces >= threshold;
  if (crosses(sessionsLimit)) return 100;
  return crosses(Math.ceil(sessionsLimit * 0.8)) ? 80 : undefined;
}

/**
 * Queues a mail for each request that crossed a threshold, so each is sent once per period. Unrequested mail goes only to
 * verified addresses. Call it last: the directory may keep the mails if the transaction fails later.
 */
export async function queueUsageMails(
  trx: Database,
  crossed: CrossedThreshold[],
  publicUrl: string,
): Promise<void> {
  const directory = trx.directory;
  for (const { workspaceId, percent, tier, sessionsLimit } of crossed) {
    const workspace = await readWorkspaceAddress(directory, workspaceId, publicUrl);
    for (const { email: recipient, isEmailVerified } of await listOwners(directory, workspaceId))
      if (isEmailVerified)
        await queueMail(
          directory,
          usageMail(workspace, { recipient, percent, tier, sessionsLimit, period: TIERS[tier].period }),
        );
  }
}
