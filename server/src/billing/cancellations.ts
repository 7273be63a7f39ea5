import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Provider } from "./provider.ts";

/** Queues the cancellation of a deleted account's subscriptions at the provider, in the transaction of the deletion. */
export async function requestCancellation(trx: Database, userId: string): Promise<void> {
  await sql`
    insert into billing_cancellations (customer_id)
    select customer_id from billing_customers where user_id = ${userId}
    on conflict do nothing`.execute(trx);
}

/** Cancels the subscriptions of queued customers. A customer is leased during the calls and deleted if all succeed. */
export async function cancelSubscriptions(
  db: Database,
  provider: Provider,
  log: FastifyBaseLogger,
): Promise<void> {
  const { rows } = await sql<{ customerId: string; attempts: number }>`
    update billing_cancellations
    set attempts = attempts + 1, next_attempt_at = now() + least(30 * attempts + 15, 600) * interval '1 second'
    where customer_id in (
      select customer_id from billing_cancellations where next_attempt_at <= now() limit 5 for update skip locked)
    returning customer_id, attempts`.execute(db);
  for (const { customerId, attempts } of rows) {
    try {
      const calls = provider.withinDeadline();
      for (const { id, status } of await calls.subscriptionsOf(customerId))
        if (status !== "canceled" && status !== "incomplete_expired") await calls.cancel(id);
      await sql`delete from billing_cancellations where customer_id = ${customerId}`.execute(db);
    } catch (err) {
      log.warn({ err, attempts }, "subscription of a deleted account not cancelled yet; will retry");
    }
  }
}
