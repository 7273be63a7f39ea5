import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { createCustomer, findCustomer, type Payer } from "./customers.ts";
import type { Checkout, ProviderCalls } from "./provider-calls.ts";
import { isLive } from "./provider-subscription.ts";

export const SUBSCRIBED = "You already have a subscription. Change your plan in the customer portal.";
export const REPLACED = "A newer checkout has replaced this one. Try again.";

type Order = Pick<Checkout, "tier" | "successUrl" | "cancelUrl">;

/**
 * Opens a checkout and returns its URL. At most one checkout of a workspace can be paid: a new one expires the earlier ones,
 * and one that finds itself replaced, or its account deleted, expires itself.
 */
export async function startCheckout(
  { db, calls }: { db: Database; calls: ProviderCalls },
  payer: Payer,
  order: Order,
): Promise<string> {
  const { workspaceId } = payer;
  const attempt = await claimAttempt(db, workspaceId, order);
  try {
    const stored = await findCustomer(db, workspaceId);
    const customerId = stored ?? (await createCustomer(db, calls, payer, attempt));
    // Asks the provider, because the webhook of an earlier checkout may not have arrived yet.
    await refuseSubscriber(calls, customerId);
    if (stored && !(await expireEarlier(calls, customerId, attempt)))
      await refuseSubscriber(calls, customerId);
    const checkout = await calls.openCheckout({ ...order, workspaceId, customerId, attempt });
    if (!(await isNewest(db, workspaceId, attempt))) {
      await calls.expireCheckout(checkout.id);
      throw new HttpError(409, REPLACED);
    }
    return checkout.url;
  } catch (error) {
    if (error instanceof HttpError && error.status === 503) await markFailed(db, workspaceId, attempt);
    throw error;
  }
}

/** Returns a new number, or for a second click within a minute the same one, which opens the same checkout. */
async function claimAttempt(db: Database, workspaceId: WorkspaceId, order: Order): Promise<number> {
  const { tier, successUrl, cancelUrl } = order;
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([tier, successUrl, cancelUrl]))
    .digest("hex");
  const isRepeated = sql`(billing_checkouts.fingerprint = excluded.fingerprint
    and billing_checkouts.started_at > now() - interval '1 minute')`;
  const { rows } = await sql<{ attempt: number }>`
    insert into billing_checkouts (workspace_id, fingerprint)
    select id, ${fingerprint} from workspaces where id = ${workspaceId}
    on conflict (workspace_id) do update set
      attempt = billing_checkouts.attempt + case when ${isRepeated} then 0 else 1 end,
      started_at = case when ${isRepeated} then billing_checkouts.started_at else now() end,
      fingerprint = excluded.fingerprint
    returning attempt`.execute(db);
  const [row] = rows;
  if (!row) throw new HttpError(401, "Unauthorized");
  return row.attempt;
}

async function isNewest(db: Database, workspaceId: WorkspaceId, attempt: number): Promise<boolean> {
  const { rows } = await sql`
    select from billing_checkouts where workspace_id = ${workspaceId} and attempt = ${attempt}`.execute(db);
  return rows.length > 0;
}

/** The next request gets a new number, and so new idempotency keys. */
async function markFailed(db: Database, workspaceId: WorkspaceId, attempt: number): Promise<void> {
  await sql`
    update billing_checkouts set fingerprint = null
    where workspace_id = ${workspaceId} and attempt = ${attempt}`.execute(db);
}

async function refuseSubscriber(calls: ProviderCalls, customerId: string): Promise<void> {
  if ((await calls.subscriptionsOf(customerId)).some(isLive)) throw new HttpError(409, SUBSCRIBED);
}

/** Returns false if one of them could not be expired: it may have been paid just now. */
async function expireEarlier(calls: ProviderCalls, customerId: string, attempt: number): Promise<boolean> {
  let areAllExpired = true;
  for (const checkout of await calls.openCheckouts(customerId))
    if (checkout.attempt < attempt && !(await calls.expireCheckout(checkout.id))) areAllExpired = false;
  return areAllExpired;
}
