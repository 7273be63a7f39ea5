import type Stripe from "stripe";
import type { Database } from "../db/database.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { listOwners } from "../workspaces/list-owners.ts";
import { readWorkspaceAddress } from "../workspaces/workspace-address.ts";
import { repeatCancellation } from "./cancellations.ts";
import { paymentFailedMail } from "./mails.ts";
import type { Provider } from "./provider.ts";
import { syncSubscription } from "./sync-subscription.ts";

/** Event types that change a subscription or its payment; others are acknowledged and ignored. */
const HANDLED = new Set([
  "checkout.session.completed",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "invoice.paid",
  "invoice.payment_failed",
]);

interface ReceiveOptions {
  db: Database;
  provider: Provider;
  publicUrl: string;
  freeSessionsPerDay: number;
}

export async function receiveEvent(
  { db, provider, publicUrl, freeSessionsPerDay }: ReceiveOptions,
  event: Stripe.Event,
): Promise<void> {
  const customerId = customerOf(event.data.object);
  if (!HANDLED.has(event.type) || !customerId) return;
  const sync = { db, calls: provider.withinDeadline(), freeSessionsPerDay };
  const isKnown = await syncSubscription(sync, customerId, event.id, async (trx, workspaceId) => {
    if (event.type !== "invoice.payment_failed") return;
    const workspace = await readWorkspaceAddress(trx, workspaceId, publicUrl);
    for (const { email } of await listOwners(trx, workspaceId))
      await queueMail(trx, paymentFailedMail(workspace, email));
  });
  if (!isKnown) await repeatCancellation(db, customerId);
}

/** An event contains the customer's id or the whole customer object. */
function customerOf(object: object): string | undefined {
  const customer = "customer" in object ? object.customer : undefined;
  if (typeof customer === "string") return customer;
  return typeof customer === "object" && customer !== null && "id" in customer
    ? String(customer.id)
    : undefined;
}
