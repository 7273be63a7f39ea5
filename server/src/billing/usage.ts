import { TIERS, type Tier, UNLIMITED_SESSIONS } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import { batchedRead } from "../db/batched-read.ts";
import type { Database } from "../db/database.ts";
import { directoryOf, forEachTenant, isSharded } from "../db/sharding.ts";
import { HttpError } from "../http/http-error.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { usageMail } from "./mails.ts";

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
// Not a CASE: a cluster allows no now() in it.
const paidSessionsUsed = sql`(sessions_used * (not ${isEarlierMonth})::integer)`;

/** How many traces a user created since UTC midnight, including deleted ones. Counts at most `maxRows` that exist. */
const countedToday = (
  userId: RawBuilder<unknown>,
  maxRows: RawBuilder<unknown>,
) => sql`((select count(*) from (
    select from traces where user_id = ${userId} and created_at >= ${UTC_MIDNIGHT} limit ${maxRows}
  ) as today)
  + coalesce((
    select deleted_count from trace_totals where user_id = ${userId} and deleted_on = ${UTC_TODAY}
  ), 0))`;

/**
 * SQL of `sessionsUsed` for a row of subscriptions. FREE counts at most `maxRows` traces, to bound the cost. An ingest
 * request counts twice: before its body is read, to refuse it early, and with the subscription locked, because only that
 * count is exact. For a limit of 1,000 a count takes 0.2 ms. A statement about one user passes the `userId`, because a
 * cluster finds the node of a subquery only by a value.
 */
export const sessionsUsedSql = (
  userId: RawBuilder<unknown> = sql`subscriptions.user_id`,
  maxRows = sql`null`,
) => sql`(case when tier <> 'FREE' then ${paidSessionsUsed} else ${countedToday(userId, maxRows)} end)`;

/** When the usage resets: FREE at UTC midnight, other tiers at the end of their period or else of the UTC month. */
export const resetsAtSql = sql`(case
  when tier = 'FREE' then (date_trunc('day', now() at time zone 'utc') + interval '1 day') at time zone 'utc'
  when period_end > now() then period_end
  else (date_trunc('month', now() at time zone 'utc') + interval '1 month') at time zone 'utc' end)`;

const SECONDS_TO_RESET = sql`ceil(extract(epoch from ${resetsAtSql} - now()))::integer as seconds_to_reset`;

/** The columns of `Usage`. Counts at most `ownTraces` more than the limit: the traces of the current transaction. */
export const usageColumns = (userId?: RawBuilder<unknown>, ownTraces = 0) => sql`tier, sessions_limit,
  case when sessions_limit = ${UNLIMITED_SESSIONS} and tier = 'FREE' then 0
       else ${sessionsUsedSql(userId, sql`sessions_limit::bigint + ${ownTraces}`)} end as sessions_used,
  ${SECONDS_TO_RESET}`;

/** Usage by user id; users without a subscription are missing. */
async function readUsages(db: Database, userIds: string[], ownTraces = 0): Promise<Map<string, Usage>> {
  const read = isSharded(db) ? readInCluster : readInOneStatement;
  const rows = await read(db, userIds, ownTraces);
  return new Map(rows.map(({ userId, ...usage }) => [userId, usage]));
}

async function readInOneStatement(db: Database, userIds: string[], ownTraces: number) {
  const [only, ...others] = userIds;
  const columns =
    others.length > 0 ? usageColumns(undefined, ownTraces) : usageColumns(sql`${only}`, ownTraces);
  const { rows } = await sql<Usage & { userId: string }>`/* prepared */
    select subscriptions.user_id, ${columns} from subscriptions where ${hasUser(userIds)}`.execute(db);
  return rows;
}

/**
 * A cluster plans a statement about one table and one user once, and others each time, which costs several times as much. So
 * what only FREE needs is read by itself.
 */
async function readInCluster(db: Database, userIds: string[], ownTraces: number, lock = sql``) {
  const { rows } = await sql<
    Usage & { userId: string }
  >`${sql.raw(userIds.length === 1 ? "/* prepared */" : "")}
    select user_id, tier, sessions_limit, ${paidSessionsUsed} as sessions_used, ${SECONDS_TO_RESET}
    from subscriptions where ${hasUser(userIds)} ${lock}`.execute(db);
  return Promise.all(
    rows.map(async (usage) => {
      if (usage.tier !== "FREE") return usage;
      if (usage.sessionsLimit === UNLIMITED_SESSIONS) return { ...usage, sessionsUsed: 0 };
      const maxRows = sql`${usage.sessionsLimit + ownTraces}::bigint`;
      const { rows: counted } = await sql<{ count: number }>`/* prepared */
        select ${countedToday(sql`${usage.userId}`, maxRows)} as count`.execute(db);
      return { ...usage, sessionsUsed: counted[0]?.count ?? 0 };
    }),
  );
}

const hasUser = (userIds: string[]) =>
  userIds.length === 1
    ? sql`subscriptions.user_id = ${userIds[0]}`
    : sql`subscriptions.user_id = any(${userIds}::uuid[])`;

/** Reads the usage of several users at once if they are requested at the same time. */
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

/** Blocks concurrent usage changes of these users until the transaction ends. */
async function lockSubscriptions(trx: Database, userIds: string[]): Promise<void> {
  await sql`/* prepared */
    select from subscriptions where ${hasUser(userIds)} order by user_id for update`.execute(trx);
}

async function lockAndReadUsages(
  trx: Database,
  userIds: string[],
  ownTraces: number,
): Promise<Map<string, Usage>> {
  if (!isSharded(trx)) {
    const [, usages] = await Promise.all([
      lockSubscriptions(trx, userIds),
      readUsages(trx, userIds, ownTraces),
    ]);
    return usages;
  }
  const lock = sql`for update`;
  const rows = await Promise.all(userIds.map((id) => readInCluster(trx, [id], ownTraces, lock)));
  return new Map(rows.flat().map(({ userId, ...usage }) => [userId, usage]));
}

async function addUsage(trx: Database, added: { userId: string; count: number }[]): Promise<void> {
  const counted = (count: RawBuilder<unknown>) =>
    sql`update subscriptions set sessions_used = ${paidSessionsUsed} + ${count}, usage_month = ${UTC_MONTH}`;
  await forEachTenant(trx, added, async (tenants) => {
    const [only, ...others] = tenants;
    const statement =
      only && others.length === 0
        ? sql`/* prepared */ ${counted(sql`${only.count}::integer`)} where user_id = ${only.userId} and tier <> 'FREE'`
        : sql`/* prepared */ ${counted(sql`added.count`)}
            from json_to_recordset(${JSON.stringify(tenants)}::json) as added ("userId" uuid, count integer)
            where user_id = added."userId" and tier <> 'FREE'`;
    return (await statement.execute(trx)).rows;
  });
}

/** What a transaction adds to a user's usage. */
export interface UsageChange {
  userId: string;
  /** The number of new traces of each request. */
  newTraces: number[];
}

/** A request used up 80 or 100 % of a plan. */
export interface CrossedThreshold extends Pick<Usage, "tier" | "sessionsLimit"> {
  userId: string;
  percent: 80 | 100;
}

/**
 * Near the end of an ingest transaction: locks the subscriptions, checks the limits again, and counts the new traces of
 * each request. A request is checked before its own traces are counted: one batch may exceed the limit, concurrent
 * requests may not. Returns the thresholds that requests crossed.
 */
export async function countUsage(trx: Database, changes: UsageChange[]): Promise<CrossedThreshold[]> {
  if (changes.length === 0) return [];
  const userIds = changes.map(({ userId }) => userId);
  const added = changes.map(({ userId, newTraces }) => ({
    userId,
    count: newTraces.reduce((sum, count) => sum + count, 0),
  }));
  // The statements share a round trip but run in order: the read sees everything committed before the lock.
  const [usages] = await Promise.all([
    lockAndReadUsages(trx, userIds, Math.max(...added.map(({ count }) => count))),
    addUsage(trx, added),
  ]);
  const crossed: CrossedThreshold[] = [];
  for (const { userId, newTraces } of changes) {
    const usage = usages.get(userId);
    // FREE counts stored rows, which already include those of this transaction.
    if (usage?.tier === "FREE") usage.sessionsUsed -= newTraces.reduce((sum, count) => sum + count, 0);
    for (const count of newTraces) {
      checkUsage(usage);
      const percent = crossedPercent(usage, count);
      if (percent) crossed.push({ userId, percent, tier: usage.tier, sessionsLimit: usage.sessionsLimit });
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
 * verified addresses. Call it last: in a cluster, the mails stay if the transaction fails later.
 */
export async function queueUsageMails(
  trx: Database,
  crossed: CrossedThreshold[],
  publicUrl: string,
): Promise<void> {
  const directory = directoryOf(trx);
  for (const { userId, percent, tier, sessionsLimit } of crossed) {
    const { rows } = await sql<{ email: string }>`
      select email from users where id = ${userId} and email_verified_at is not null`.execute(directory);
    for (const { email: recipient } of rows)
      await queueMail(
        directory,
        usageMail(publicUrl, { recipient, percent, tier, sessionsLimit, period: TIERS[tier].period }),
      );
  }
}
