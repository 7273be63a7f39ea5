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

/** Traces created since UTC midnight, those deleted since included; rows are counted up to a bound, if there is one. */
export const tracesToday = (userId: string, bound = sql`null`) => sql`(
  (select count(*) from (
    select from traces where user_id = ${userId} and created_at >= ${UTC_MIDNIGHT} limit ${bound}
  ) as today)
  + coalesce((select deleted_count from trace_totals where user_id = ${userId} and deleted_on = ${UTC_TODAY}), 0))`;

/** When the limit begins anew: FREE at UTC midnight, others with their period or, without one, the UTC month. */
export const resetsAt = sql`(case
  when tier = 'FREE' then (date_trunc('day', now() at time zone 'utc') + interval '1 day') at time zone 'utc'
  when period_end > now() then period_end
  else (date_trunc('month', now() at time zone 'utc') + interval '1 month') at time zone 'utc' end)`;

/**
 * What a user has used of their limit, apart from so many traces that the caller itself has just stored; undefined
 * without a subscription. Counted no further than the limit.
 */
export async function readUsage(db: Database, userId: string, ownTraces = 0): Promise<Usage | undefined> {
  const { rows } = await sql<Usage>`/* prepared */
    select tier, sessions_limit,
      case when tier <> 'FREE' then sessions_used
           when sessions_limit = ${UNLIMITED_SESSIONS} then 0
           else ${tracesToday(userId, sql`sessions_limit::bigint + ${ownTraces}`)} - ${ownTraces}
      end as sessions_used,
      ceil(extract(epoch from ${resetsAt} - now()))::integer as seconds_to_reset
    from subscriptions where user_id = ${userId}`.execute(db);
  return rows[0];
}

/** 403 without a subscription, 429 when its limit is reached. */
export function checkUsage(usage: Usage | undefined): asserts usage is Usage {
  if (!usage) throw new HttpError(403, "No subscription found for this user");
  const { tier, sessionsLimit, sessionsUsed, secondsToReset } = usage;
  if (sessionsUsed < sessionsLimit) return;
  throw HttpError.tooMany(
    `Rate limit exceeded. Current plan: ${tier}. Limit: ${sessionsLimit}/${TIERS[tier].period}. Upgrade at /settings/billing`,
    secondsToReset,
  );
}

/** Holds off everybody else who changes what is counted of a user, until the transaction ends. */
export async function holdSubscription(trx: Database, userId: string): Promise<void> {
  await sql`select from subscriptions where user_id = ${userId} for update`.execute(trx);
}

/**
 * Among the last steps of an ingest transaction: counts the new traces of each of a user's requests and checks the
 * limit again, now with everybody else held off. A request's own traces are not held against it: a batch may
 * overshoot, parallel requests may not. Whoever takes the count over 80 or 100 % has the user told, so that happens
 * once a period.
 */
export async function countUsage(
  trx: Database,
  userId: string,
  newTraces: number[],
  publicUrl: string,
): Promise<void> {
  const all = newTraces.reduce((sum, count) => sum + count, 0);
  // Both go out together; the second one, a statement of its own, sees what was committed before the first one's lock.
  const counted = sql`/* prepared */
    update subscriptions set sessions_used = sessions_used + case tier when 'FREE' then 0 else ${all}::integer end
    where user_id = ${userId}`.execute(trx);
  const [usage] = await Promise.all([readUsage(trx, userId, all), counted]);
  if (usage && usage.tier !== "FREE") usage.sessionsUsed -= all;
  for (const count of newTraces) {
    checkUsage(usage);
    const percent = crossed(usage, count);
    if (percent) await notify(trx, userId, usage, percent, publicUrl);
    usage.sessionsUsed += count;
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
