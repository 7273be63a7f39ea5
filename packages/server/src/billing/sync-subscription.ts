import { sql } from "kysely";
import { recordEvent, SYSTEM } from "../audit/record-event.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { ProviderCalls } from "./provider-calls.ts";
import { currentSubscription, isLive, type ProviderSubscription } from "./provider-subscription.ts";
import { TIERS } from "./tiers.ts";

/**
 * Updates a customer's subscription to the provider's current state; the content of the event does not matter.
 *
 * Each read of the provider gets a number when it starts, and its result is discarded if a read with a higher number
 * was applied before. Every change at the provider sends an event, which starts another read. So events may arrive
 * twice, late, in any order and on any server, and no lock is held during provider calls. `then` runs in the
 * transaction of the update, unless the event was processed before. Returns false if the customer is unknown or its
 * account was deleted.
 */
export async function syncSubscription(
  { db, calls, freeSessionsPerDay }: { db: Database; calls: ProviderCalls; freeSessionsPerDay: number },
  customerId: string,
  eventId?: string,
  then: (trx: Database, workspaceId: WorkspaceId) => Promise<void> = async () => {},
): Promise<boolean> {
  const { rows } = await sql<{ reading: number }>`
    update billing_customers set reading = reading + 1 where customer_id = ${customerId} returning reading`.execute(
    db,
  );
  const reading = rows[0]?.reading;
  if (reading === undefined) return false;
  const current = currentSubscription(await calls.subscriptionsOf(customerId));

  await transaction(db, async (trx) => {
    if (eventId !== undefined && !(await claimEvent(trx, eventId))) return;
    const { rows: customers } = await sql<{ workspaceId: WorkspaceId; isNewest: boolean }>`
      update billing_customers set applied_reading = greatest(applied_reading, ${reading})
      where customer_id = ${customerId}
      returning workspace_id, applied_reading = ${reading} as is_newest`.execute(trx);
    const [customer] = customers;
    if (!customer) return;
    const { workspaceId } = customer;
    const from = await readTier(trx, workspaceId);
    const to =
      customer.isNewest && current ? await apply(trx, workspaceId, current, freeSessionsPerDay) : from;
    await then(trx, workspaceId);
    if (from !== undefined && to !== from)
      await recordEvent(trx, workspaceId, SYSTEM, { action: "plan.changed", details: { from, to } });
  });
  return true;
}

async function claimEvent(trx: Database, eventId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into billing_events (id) values (${eventId}) on conflict do nothing returning id`.execute(trx);
  return rows.length > 0;
}

async function readTier(trx: Database, workspaceId: WorkspaceId): Promise<string | undefined> {
  const { rows } = await sql<{ tier: string }>`
    select tier from subscriptions where workspace_id = ${workspaceId} for no key update`.execute(trx);
  return rows[0]?.tier;
}

/** Returns the plan. A new subscription or a new period resets the usage; a change of plan within a period does not. */
async function apply(
  trx: Database,
  workspaceId: WorkspaceId,
  subscription: ProviderSubscription,
  freeSessionsPerDay: number,
): Promise<string> {
  const tier = isLive(subscription) && subscription.tier ? subscription.tier : "FREE";
  const sessionsLimit = tier === "FREE" ? freeSessionsPerDay : TIERS[tier].sessionsLimit;
  await sql`
    update subscriptions set
      tier_changed_at = case when tier = ${tier} then tier_changed_at else clock.now end,
      tier = ${tier}, sessions_limit = ${sessionsLimit},
      sessions_used = case
        when provider_subscription_id is distinct from ${subscription.id} or period_start < to_timestamp(${subscription.periodStart})
        then 0 else sessions_used end,
      provider_subscription_id = ${subscription.id}, provider_price_id = ${subscription.priceId},
      provider_status = ${subscription.status}, period_start = to_timestamp(${subscription.periodStart}),
      period_end = to_timestamp(${subscription.periodEnd})
    from (select now() as now) as clock
    where workspace_id = ${workspaceId}`.execute(trx);
  return tier;
}

export async function sweepBillingEvents(db: Database): Promise<void> {
  await sql`delete from billing_events where received_at < now() - interval '60 days'`.execute(db);
}
