import type { Delivery, DeliveryList, DeliveryState } from "@whytrace/contract/schemas/alerts/channels";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { messageId } from "./message-id.ts";
import { CHANNEL_NOT_FOUND, findChannel } from "./stored-channel.ts";

interface DeliveryQuery {
  channelId: string;
  state?: DeliveryState | undefined;
  page: number;
  limit: number;
}

/** A page of the messages to a channel, newest first, each with its attempts: in one snapshot, so that they fit its state. */
export const listDeliveries = (
  db: Database,
  workspaceId: WorkspaceId,
  query: DeliveryQuery,
): Promise<DeliveryList> =>
  db.transaction((trx) => readDeliveries(trx, workspaceId, query), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });

async function readDeliveries(
  db: Database,
  workspaceId: WorkspaceId,
  { channelId, state, page, limit }: DeliveryQuery,
): Promise<DeliveryList> {
  const channel = await findChannel(db, workspaceId, channelId);
  if (!channel) throw new HttpError(404, CHANNEL_NOT_FOUND);
  const isAsked = sql`delivery.workspace_id = ${workspaceId} and delivery.channel_id = ${channel.id}
    and ${state === undefined ? sql`true` : sql`delivery.state = ${state}`}`;
  const [{ rows }, counted] = await Promise.all([
    sql<Omit<Delivery, "messageId" | "attempts">>`
      select delivery.id, event.type, delivery.state, delivery.created_at, delivery.next_attempt_at, delivery.request
      from alert_deliveries as delivery
        join alert_events as event on event.workspace_id = ${workspaceId} and event.id = delivery.event_id
      where ${isAsked} order by delivery.created_at desc, delivery.id desc
      limit ${limit} offset ${(page - 1) * limit}`.execute(db),
    sql<{
      count: number;
    }>`select count(*) as count from alert_deliveries as delivery where ${isAsked}`.execute(db),
  ]);
  const { rows: attempts } = await sql<Delivery["attempts"][number] & { deliveryId: string }>`
    select delivery_id, at, status, duration_ms, error, response from delivery_attempts
    where workspace_id = ${workspaceId} and delivery_id = any(${rows.map(({ id }) => id)}::uuid[])
    order by delivery_id, number`.execute(db);
  const attemptsOf = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  const total = counted.rows[0]?.count ?? 0;
  return {
    deliveries: rows.map((delivery) => ({
      ...delivery,
      messageId: messageId(delivery.id),
      attempts: (attemptsOf.get(delivery.id) ?? []).map(({ deliveryId: _, ...attempt }) => attempt),
    })),
    total,
    page,
    limit,
    totalPages: Math.ceil(total / limit),
  };
}
