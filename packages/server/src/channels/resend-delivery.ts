import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { findChannel } from "./stored-channel.ts";
import { CHANNEL_DISABLED } from "./test-channel.ts";

export const DELIVERY_NOT_FOUND = "Delivery not found";
export const BODY_ERASED = "The body of this delivery was deleted";
export const NOT_FINISHED = "This delivery is not finished yet";

/** Sends a message once more, with the same id and body. */
export async function resendDelivery(
  trx: Database,
  workspaceId: WorkspaceId,
  id: string,
): Promise<{ id: string }> {
  const { rows: found } = await sql<{ channelId: string }>`
    select channel_id from alert_deliveries where workspace_id = ${workspaceId} and id::text = ${id}`.execute(
    trx,
  );
  const channel = found[0] && (await findChannel(trx, workspaceId, found[0].channelId, { isLocked: true }));
  if (!channel) throw new HttpError(404, DELIVERY_NOT_FOUND);
  if (!channel.isEnabled) throw new HttpError(409, CHANNEL_DISABLED);
  const { rows } = await sql<{ id: string; isErased: boolean; isFinished: boolean }>`
    select delivery.id, event.payload is null as is_erased,
      delivery.state in ('delivered', 'failed', 'dropped') as is_finished
    from alert_deliveries as delivery
      join alert_events as event on event.workspace_id = ${workspaceId} and event.id = delivery.event_id
    where delivery.workspace_id = ${workspaceId} and delivery.id::text = ${id}`.execute(trx);
  const [delivery] = rows;
  if (!delivery) throw new HttpError(404, DELIVERY_NOT_FOUND);
  if (delivery.isErased) throw new HttpError(409, BODY_ERASED);
  if (!delivery.isFinished) throw new HttpError(409, NOT_FINISHED);
  // A message of a digest is sent by itself.
  await sql`
    update alert_deliveries set state = 'waiting', next_attempt_at = now(), digest_id = null, attempts = greatest(attempts, 1)
    where workspace_id = ${workspaceId} and id = ${delivery.id}`.execute(trx);
  return { id: delivery.id };
}
