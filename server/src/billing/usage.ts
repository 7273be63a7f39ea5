import { TIERS, type Tier } from "@whytrace/contract";
import { sql } from "kysely";
import { UNLIMITED_SESSIONS } from "../config.ts";
import type { Database } from "../db/database.ts";
import { HttpError } from "../http/http-error.ts";

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
 * What a user has used of their limit, apart from so many traces that the caller itself has just stored; undefined
 * without a subscription. Counted no further than the limit.
 */
export async function readUsage(db: Database, userId: string, ownTraces = 0): Promise<Usage | undefined> {
  const { rows } = await sql<Usage>`
    select tier, sessions_limit,
      case when tier <> 'FREE' then sessions_used
           when sessions_limit = ${UNLIMITED_SESSIONS} then 0
           else (select count(*) from (
                  select from traces where user_id = ${userId} and created_at >= ${UTC_MIDNIGHT} limit sessions_limit::bigint + ${ownTraces}
                ) as today) - ${ownTraces}
              + coalesce((select deleted_count from trace_totals where user_id = ${userId} and deleted_on = ${UTC_TODAY}), 0)
      end as sessions_used,
      ceil(extract(epoch from (
        case when tier = 'FREE' then date_trunc('day', now() at time zone 'utc') + interval '1 day'
             else date_trunc('month', now() at time zone 'utc') + interval '1 month' end
      ) - (now() at time zone 'utc')))::integer as seconds_to_reset
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

/**
 * The last step of an ingest transaction: checks the limit again, now with everybody else held off, and counts the
 * traces it has stored. They are not held against the request itself: a batch may overshoot, parallel requests may
 * not.
 */
export async function countUsage(trx: Database, userId: string, newTraces: number): Promise<void> {
  await sql`select from subscriptions where user_id = ${userId} for update`.execute(trx);
  const usage = await readUsage(trx, userId, newTraces);
  checkUsage(usage);
  if (usage.tier !== "FREE")
    await sql`update subscriptions set sessions_used = sessions_used + ${newTraces} where user_id = ${userId}`.execute(
      trx,
    );
}
