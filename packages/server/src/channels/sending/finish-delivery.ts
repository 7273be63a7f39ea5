import type { DeliveryState } from "@whytrace/contract/schemas/alerts/channels";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import { disableChannel } from "../disable-channel.ts";
import type { LeasedDelivery } from "./lease-deliveries.ts";
import type { Attempt } from "./post-message.ts";

const MAX_RETRY_AFTER_SECONDS = 3_600;
/** Retries of many messages to one receiver do not come at the same moment. */
const JITTER = 0.1;
/** A channel without success for so long, and with so many failures, is disabled. */
const MAX_FAILING_DAYS = 5;
const MIN_FAILURES = 10;
const GONE = 410;
const TELLS_WHEN = new Set([429, 503]);

const RECEIVER_IS_GONE = "The receiver answered 410 Gone";
const NEVER_DELIVERED = `No message was delivered for ${MAX_FAILING_DAYS} days`;

interface FinishOptions {
  retriesMs: readonly number[];
  publicUrl: string;
}

/** Records an attempt, and what follows from it. Returns undefined if the delivery was deleted, or another process sends it. */
export async function finishDelivery(
  db: Database,
  delivery: LeasedDelivery,
  { attempt, request }: { attempt: Attempt; request: string | null },
  { retriesMs, publicUrl }: FinishOptions,
): Promise<DeliveryState | undefined> {
  const { workspaceId, channelId, id, attempts } = delivery;
  const isDelivered = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
  const state = isDelivered ? "delivered" : attempts > retriesMs.length ? "failed" : "retrying";
  const delaySeconds = state === "retrying" ? retryDelaySeconds(attempt, retriesMs[attempts - 1] ?? 0) : null;
  return transaction(db, async (trx) => {
    // First, like the lease: both take the locks in this order.
    const { rows: channels } = await sql<{ isEnabled: boolean; isFailing: boolean }>`
      select is_enabled, coalesce(failing_since < now() - make_interval(days => ${MAX_FAILING_DAYS})
        and failures + 1 >= ${MIN_FAILURES}, false) as is_failing
      from alert_channels where workspace_id = ${workspaceId} and id = ${channelId} for update`.execute(trx);
    const [channel] = channels;
    if (!channel) return undefined;
    const next = delaySeconds === null ? sql`null` : sql`now() + ${delaySeconds} * interval '1 second'`;
    // A channel that was disabled meanwhile sends nothing more.
    const reached = state === "retrying" && !channel.isEnabled ? "dropped" : state;
    const { rows } = await sql`
      update alert_deliveries set state = ${reached}, next_attempt_at = ${next}, request = ${request}
      where workspace_id = ${workspaceId} and id = ${id} and state = 'sending' and attempts = ${attempts}
      returning id`.execute(trx);
    if (rows.length === 0) return undefined;
    // A run that was deleted while its message was on the way takes the message with it.
    await sql`
      update alert_deliveries set request = null
      where workspace_id = ${workspaceId} and id = ${id} and exists (
        select from alert_events
        where alert_events.workspace_id = ${workspaceId} and alert_events.id = alert_deliveries.event_id
          and alert_events.payload is null)`.execute(trx);
    await addAttempt(trx, delivery, attempt);
    if (reached !== "retrying")
      await sql`
        update alert_deliveries set state = ${reached}, next_attempt_at = null
        where workspace_id = ${workspaceId} and digest_id = ${id}`.execute(trx);
    if (isDelivered)
      await sql`
        update alert_channels set failing_since = null, failures = 0
        where workspace_id = ${workspaceId} and id = ${channelId} and (failing_since is not null or failures > 0)`.execute(
        trx,
      );
    else
      await sql`
        update alert_channels set failing_since = coalesce(failing_since, ${new Date().toISOString()}), failures = failures + 1
        where workspace_id = ${workspaceId} and id = ${channelId}`.execute(trx);
    if (attempt.status === GONE)
      await disableChannel(trx, workspaceId, channelId, { reason: RECEIVER_IS_GONE, publicUrl });
    else if (!isDelivered && channel.isFailing)
      await disableChannel(trx, workspaceId, channelId, { reason: NEVER_DELIVERED, publicUrl });
    return reached;
  });
}

function retryDelaySeconds({ status, retryAfterSeconds }: Attempt, delayMs: number): number {
  const own = (delayMs / 1_000) * (1 + JITTER * (2 * Math.random() - 1));
  if (retryAfterSeconds === null || !TELLS_WHEN.has(status ?? 0)) return own;
  return Math.max(own, Math.min(retryAfterSeconds, MAX_RETRY_AFTER_SECONDS));
}

async function addAttempt(
  trx: Database,
  { workspaceId, id, attempts }: LeasedDelivery,
  { status, durationMs, error, response, address }: Attempt,
): Promise<void> {
  await sql`
    insert into delivery_attempts (workspace_id, delivery_id, number, at, status, duration_ms, error, response, address)
    values (${workspaceId}, ${id}, ${attempts}, now() - ${durationMs} * interval '1 millisecond', ${status}, ${durationMs},
      ${error}, ${response}, ${address}::inet)
    on conflict do nothing`.execute(trx);
}
