import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { Provider } from "./provider.ts";

/** Shorter than the first lease, so that two attempts never overlap. */
const DEADLINE_MS = 10_000;

/** Queues the end of a deleted account's payments at the provider, in the transaction of the deletion. */
export async function requestCancellation(trx: Database, workspaceId: WorkspaceId): Promise<void> {
  await sql`
    insert into billing_cancellations (customer_id)
    select customer_id from billing_customers where workspace_id = ${workspaceId}
    on conflict do nothing`.execute(trx);
}

/** After an event about a customer whose account was deleted: checks again whether there is something to cancel. */
export async function repeatCancellation(db: Database, customerId: string): Promise<void> {
  await sql`
    update billing_cancellations set next_attempt_at = now()
    where customer_id = ${customerId} and next_attempt_at = 'infinity'`.execute(db);
}

interface Cancellation {
  customerId: string;
  attempts: number;
  /** The first whole second after the deletion. */
  requestedAtSeconds: number;
}

/** Ends the payments of queued customers. A customer is leased during the calls. */
export async function cancelSubscriptions(
  db: Database,
  provider: Provider,
  log: FastifyBaseLogger,
): Promise<void> {
  const { rows } = await sql<Cancellation>`
    update billing_cancellations
    set attempts = attempts + 1, next_attempt_at = now() + least(30 * attempts + 15, 600) * interval '1 second'
    where customer_id in (
      select customer_id from billing_cancellations where next_attempt_at <= now() limit 5 for update skip locked)
    returning customer_id, attempts,
      ceil(extract(epoch from requested_at))::integer as requested_at_seconds`.execute(db);
  for (const cancellation of rows) {
    const { customerId, attempts } = cancellation;
    try {
      await endPayments(provider, cancellation, log);
      await sql`
        update billing_cancellations set next_attempt_at = 'infinity' where customer_id = ${customerId}`.execute(
        db,
      );
    } catch (err) {
      log.warn(
        { err, customerId, attempts },
        "subscription of a deleted account not cancelled yet; will retry",
      );
    }
  }
}

/**
 * First expires open checkouts, so that no new subscription starts; then cancels subscriptions; then refunds what was
 * paid after the deletion. Each step asks the provider what is left to do, so a repeated attempt does nothing twice.
 */
async function endPayments(provider: Provider, cancellation: Cancellation, log: FastifyBaseLogger) {
  const { customerId, attempts, requestedAtSeconds } = cancellation;
  const calls = provider.withinDeadline(DEADLINE_MS);
  for (const { id } of await calls.openCheckouts(customerId)) await calls.expireCheckout(id);
  for (const { id, status } of await calls.subscriptionsOf(customerId))
    if (status !== "canceled" && status !== "incomplete_expired") await calls.cancel(id);
  for (const invoice of await calls.paidInvoices(customerId, requestedAtSeconds)) {
    if (invoice.amount <= 0) continue;
    try {
      await calls.refund(invoice, attempts);
    } catch (error) {
      log.error(
        { customerId, invoiceId: invoice.id },
        "payment for a deleted account not refunded yet; will retry",
      );
      throw error;
    }
    log.warn({ customerId, invoiceId: invoice.id }, "payment for a deleted account refunded");
  }
}

/** A checkout can be paid for at most a day, and an event is delivered for at most three days. */
export async function sweepCancellations(db: Database): Promise<void> {
  await sql`
    delete from billing_cancellations
    where next_attempt_at = 'infinity' and requested_at < now() - interval '30 days'`.execute(db);
}
