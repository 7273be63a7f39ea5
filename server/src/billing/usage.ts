import { TIERS, type Tier } from "@whytrace/contract";
import { sql } from "kysely";
import { UNLIMITED_SESSIONS } from "../config.ts";
import type { Database } from "../db/database.ts";
import { HttpError } from "../http/http-error.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { usageMail } from "./mails.ts";

export interface Usage {
  tier: Tier;
  sessionsLimit: number;
  /** FREE: traces created since UTC midnight, deleted ones included; other tiers: in this period. */
  sessionsUsed: number;
  secondsToReset: number;
}

const UTC_TODAY = sql`(now() at time zone 'utc')::date`;
const UTC_MIDNIGHT = sql`date_trunc('day', now() at time zone 'utc') at time zone 'utc'`;

/**
 * Of a row of subscriptions, what is used. FREE counts the traces created since UTC midnight, those deleted since
 * included; rows are counted up to a bound, if there is one.
 */
export const sessionsUsed = (bound = sql`null`) => sql`(case when tier <> 'FREE' then sessions_used else
  (select count(*) from (
    select from traces where user_id = subscriptions.user_id and created_at >= ${UTC_MIDNIGHT} limit ${bound}
  ) as today)
  + coalesce((
    select deleted_count from trace_totals where user_id = subscriptions.user_id and deleted_on = ${UTC_TODAY}
  ), 0) end)`;

/** When the limit begins anew: FREE at UTC midnight, others with their period or, without one, the UTC month. */
export const resetsAt = sql`(case
  when tier = 'FREE' then (date_trunc('day', now() at time zone 'utc') + interval '1 day') at time zone 'utc'
  when period_end > now() then period_end
  else (date_trunc('month', now() at time zone 'utc') + interval '1 month') at time zone 'utc' end)`;

/** Counted no further than the limit, and so many traces beyond it. */
export const usageColumns = (ownTraces = 0) => sql`tier, sessions_limit,
  case when sessions_limit = ${UNLIMITED_SESSIONS} and tier = 'FREE' then 0
       else ${sessionsUsed(sql`sessions_limit::bigint + ${ownTraces}`)} end as sessions_used,
  ceil(extract(epoch from ${resetsAt} - now()))::integer as seconds_to_reset`;

/** What users have used of their limits, by user; who has no subscription is missing. */
async function readUsages(db: Database, userIds: string[], ownTraces = 0): Promise<Map<string, Usage>> {
  const { rows } = await sql<Usage & { userId: string }>`/* prepared */
    select subscriptions.user_id, ${usageColumns(ownTraces)}
    from subscriptions where subscriptions.user_id = any(${userIds}::uuid[])`.execute(db);
  return new Map(rows.map(({ userId, ...usage }) => [userId, usage]));
}

export async function readUsage(db: Database, userId: string): Promise<Usage | undefined> {
  return (await readUsages(db, [userId])).get(userId);
}

/** 403 without a subscription, 429 when its limit is reached. */
export function checkUsage(usage: Usage | undefined): asserts usage is Usage {
  if (!usage) throw new HttpError(403, "No subscription found for this user");
  const { tier, sessionsLimit, sessionsUsed, secondsToReset } = usage;
  if (sessionsUsed < sessionsLimit) return;
  throw HttpError.tooManyRequests(
    `Rate limit exceeded. Current plan: ${tier}. Limit: ${sessionsLimit}/${TIERS[tier].period}. Upgrade at /settings/billing`,
    secondsToReset,
  );
}

/** Holds off everybody else who changes what is counted of these users, until the transaction ends. */
async function holdSubscriptions(trx: Database, userIds: string[]): Promise<void> {
  await sql`/* prepared */
    select from subscriptions where user_id = any(${userIds}::uuid[]) order by user_id for update`.execute(
    trx,
  );
}

/** What a user's requests in one transaction add to their usage: new traces a request. */
export interface UsageChange {
  userId: string;
  newTraces: number[];
}

/**
 * Among the last steps of an ingest transaction: checks the limits again, now with everybody else held off, and counts
 * the new traces of each request. A request's own traces are not held against it: a batch may overshoot, parallel
 * requests may not. Whoever takes the count over 80 or 100 % has the user told, so that happens once a period.
 */
export async function countUsage(trx: Database, changes: UsageChange[], publicUrl: string): Promise<void> {
  if (changes.length === 0) return;
  const userIds = changes.map(({ userId }) => userId);
  const added = changes.map(({ userId, newTraces }) => ({
    userId,
    count: newTraces.reduce((sum, count) => sum + count, 0),
  }));
  // All go out together; the second, a statement of its own, sees what was committed before the first's locks.
  const [, usages] = await Promise.all([
    holdSubscriptions(trx, userIds),
    readUsages(trx, userIds, Math.max(...added.map(({ count }) => count))),
    sql`/* prepared */
      update subscriptions set sessions_used = sessions_used + added.count
      from json_to_recordset(${JSON.stringify(added)}::json) as added ("userId" uuid, count integer)
      where user_id = added."userId" and tier <> 'FREE'`.execute(trx),
  ]);
  for (const { userId, newTraces } of changes) {
    const usage = usages.get(userId);
    // FREE counts the traces that are there, so those of this transaction too.
    if (usage?.tier === "FREE") usage.sessionsUsed -= newTraces.reduce((sum, count) => sum + count, 0);
    for (const count of newTraces) {
      checkUsage(usage);
      const percent = crossed(usage, count);
      if (percent) await notify(trx, userId, usage, percent, publicUrl);
      usage.sessionsUsed += count;
    }
  }
}

function crossed({ sessionsUsed, sessionsLimit }: Usage, newTraces: number): 80 | 100 | undefined {
  const crosses = (count: number) => sessionsUsed < count && sessionsUsed + newTraces >= count;
  if (crosses(sessionsLimit)) return 100;
  return crosses(Math.ceil(sessionsLimit * 0.8)) ? 80 : undefined;
}

/** Only an address that is proven to be the user's gets mail that nobody asked for. */
async function notify(
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
