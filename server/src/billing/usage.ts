import { TIERS, type Tier, UNLIMITED_SESSIONS } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
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
const paidSessionsUsed = sql`(case when ${isEarlierMonth} then 0 else sessions_used end)`;

/**
 * SQL of `sessionsUsed` for a row of subscriptions. FREE counts at most `maxRows` traces, to bound the cost. An ingest
 * request counts twice: before its body is read, to refuse it early, and with the subscription locked, because only that
 * count is exact. For a limit of 1,000 a count takes 0.2 ms.
 */
export const sessionsUsedSql = (
  maxRows = sql`null`,
) => sql`(case when tier <> 'FREE' then ${paidSessionsUsed} else
  (select count(*) from (
    select from traces where user_id = subscriptions.user_id and created_at >= ${UTC_MIDNIGHT} limit ${maxRows}
  ) as today)
  + coalesce((
    select deleted_count from trace_totals where user_id = subscriptions.user_id and deleted_on = ${UTC_TODAY}
  ), 0) end)`;

/** When the usage resets: FREE at UTC midnight, other tiers at the end of their period or else of the UTC month. */
export const resetsAtSql = sql`(case
  when tier = 'FREE' then (date_trunc('day', now() at time zone 'utc') + interval '1 day') at time zone 'utc'
  when period_end > now() then period_end
  else (date_trunc('month', now() at time zone 'utc') + interval '1 month') at time zone 'utc' end)`;

/** The columns of `Usage`. Counts at most `ownTraces` more than the limit: the traces of the current transaction. */
export const usageColumns = (ownTraces = 0) => sql`tier, sessions_limit,
  case when sessions_limit = ${UNLIMITED_SESSIONS} and tier = 'FREE' then 0
       else ${sessionsUsedSql(sql`sessions_limit::bigint + ${ownTraces}`)} end as sessions_used,
  ceil(extract(epoch from ${resetsAtSql} - now()))::integer as seconds_to_reset`;

/** Usage by user id; users without a subscription are missing. */
async function readUsages(db: Database, userIds: string[], ownTraces = 0): Promise<Map<string, Usage>> {
  const { rows } = await sql<Usage & { userId: string }>`/* prepared */
    select subscriptions.user_id, ${usageColumns(ownTraces)}
    from subscriptions where subscriptions.user_id = any(${userIds}::uuid[])`.execute(db);
  return new Map(rows.map(({ userId, ...usage }) => [userId, usage]));
}

export async function readUsage(db: Database, userId: string): Promise<Usage | undefined> {
  return (await readUsages(db, [userId])).get(userId);
}

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
    select from subscriptions where user_id = any(${userIds}::uuid[]) order by user_id for update`.execute(
    trx,
  );
}

/** What a transaction adds to a user's usage. */
export interface UsageChange {
  userId: string;
  /** The number of new traces of each request. */
  newTraces: number[];
}

/**
 * Near the end of an ingest transaction: locks the subscriptions, checks the limits again, and counts the new traces of
 * each request. A request is checked before its own traces are counted: one batch may exceed the limit, concurrent
 * requests may not. The request that crosses 80 or 100 % queues a mail, so each is sent once per period.
 */
export async function countUsage(trx: Database, changes: UsageChange[], publicUrl: string): Promise<void> {
  if (changes.length === 0) return;
  const userIds = changes.map(({ userId }) => userId);
  const added = changes.map(({ userId, newTraces }) => ({
    userId,
    count: newTraces.reduce((sum, count) => sum + count, 0),
  }));
  // The statements share a round trip but run in order: the read sees everything committed before the lock.
  const [, usages] = await Promise.all([
    lockSubscriptions(trx, userIds),
    readUsages(trx, userIds, Math.max(...added.map(({ count }) => count))),
    sql`/* prepared */
      update subscriptions set sessions_used = ${paidSessionsUsed} + added.count, usage_month = ${UTC_MONTH}
      from json_to_recordset(${JSON.stringify(added)}::json) as added ("userId" uuid, count integer)
      where user_id = added."userId" and tier <> 'FREE'`.execute(trx),
  ]);
  for (const { userId, newTraces } of changes) {
    const usage = usages.get(userId);
    // FREE counts stored rows, which already include those of this transaction.
    if (usage?.tier === "FREE") usage.sessionsUsed -= newTraces.reduce((sum, count) => sum + count, 0);
    for (const count of newTraces) {
      checkUsage(usage);
      const percent = crossedThreshold(usage, count);
      if (percent) await queueUsageMail(trx, userId, usage, percent, publicUrl);
      usage.sessionsUsed += count;
    }
  }
}

function crossedThreshold({ sessionsUsed, sessionsLimit }: Usage, newTraces: number): 80 | 100 | undefined {
  const crosses = (threshold: number) => sessionsUsed < threshold && sessionsUsed + newTraces >= threshold;
  if (crosses(sessionsLimit)) return 100;
  return crosses(Math.ceil(sessionsLimit * 0.8)) ? 80 : undefined;
}

/** Unrequested mail goes only to verified addresses. */
async function queueUsageMail(
  trx: Database,
  userId: string,
  { tier, sessionsLimit }: Usage,
  percent: 80 | 100,
  publicUrl: string,
) {
  const { rows } = await sql<{ email: string }>`
    select email from users where id = ${userId} and email_verified_at is not null`.execute(trx);
  for (const { email: recipient } of rows)
    await queueMail(
      trx,
      usageMail(publicUrl, { recipient, percent, tier, sessionsLimit, period: TIERS[tier].period }),
    );
}
