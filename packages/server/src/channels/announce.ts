import { randomUUID } from "node:crypto";
import { maskText } from "@whytrace/contract";
import type { AlertEventType } from "@whytrace/contract/schemas/alerts/channels";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { parseEventData } from "./messages/event-data.ts";

/** Something that channels are told. */
export interface AnnouncedEvent {
  type: AlertEventType;
  /** The issue or rule that it is about. Messages about one subject keep their order. */
  subject: string;
  /** Counts the events of the subject. */
  sequence: number;
  /** The data of the message (messages/event-data.ts), without workspace and sequence. */
  payload: object;
  /** A run that the payload names. When it is deleted, the payload is erased. */
  traceId: string | null;
  /** The ids of the channels that are told; absent: all that want such events. */
  channels?: readonly string[] | null;
}

/**
 * Writes events, and their deliveries to the channels that want them, in the transaction of what they report: both commit or neither
 * does. A worker sends them (sending/delivery-sender.ts).
 */
export async function announce(
  trx: Database,
  workspaceId: WorkspaceId,
  events: readonly AnnouncedEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const { rows: channels } = await sql<{ id: string; events: string[]; agents: string[] }>`
    select id, events, agents from alert_channels where workspace_id = ${workspaceId} and is_enabled order by id`.execute(
    trx,
  );
  const wants = (channel: (typeof channels)[number], event: AnnouncedEvent) =>
    event.channels
      ? event.channels.includes(channel.id)
      : channel.events.includes(event.type) && isAbout(channel.agents, event);
  await addEvents(
    trx,
    workspaceId,
    events.map((event) => ({
      event,
      channelIds: channels.filter((channel) => wants(channel, event)).map(({ id }) => id),
    })),
  );
}

function isAbout(agents: readonly string[], { payload }: AnnouncedEvent): boolean {
  if (agents.length === 0) return true;
  const { issue, rule } = parseEventData(payload);
  const agent = issue?.agent ?? rule?.agent;
  return typeof agent === "string" && agents.some((one) => maskText(one) === maskText(agent));
}

/** Adds events with deliveries to these channels. Returns the ids of the deliveries. */
export async function addEvents(
  trx: Database,
  workspaceId: WorkspaceId,
  announced: readonly { event: AnnouncedEvent; channelIds: readonly string[] }[],
): Promise<string[]> {
  const events = announced.map((one) => ({ ...one, id: randomUUID() }));
  const deliveries = events.flatMap(({ id: eventId, event: { subject, sequence }, channelIds }) =>
    channelIds.map((channelId) => ({ id: randomUUID(), eventId, channelId, subject, sequence })),
  );
  const rows = events.map(({ id, event: { type, subject, sequence, payload, traceId } }) => ({
    id,
    type,
    subject,
    sequence,
    payload,
    traceId,
  }));
  await Promise.all([
    sql`
      insert into alert_events (workspace_id, id, type, subject, sequence, payload, trace_id)
      select ${workspaceId}::uuid, id, type, subject, sequence, payload, "traceId"
      from json_to_recordset(${JSON.stringify(rows)}::json) as event (
        id uuid, type text, subject text, sequence integer, payload jsonb, "traceId" text)`.execute(trx),
    deliveries.length > 0 &&
      sql`
        insert into alert_deliveries (workspace_id, id, event_id, channel_id, subject, sequence, next_attempt_at)
        select ${workspaceId}::uuid, id, "eventId", "channelId", subject, sequence, now()
        from json_to_recordset(${JSON.stringify(deliveries)}::json) as delivery (
          id uuid, "eventId" uuid, "channelId" uuid, subject text, sequence integer)`.execute(trx),
  ]);
  return deliveries.map(({ id }) => id);
}
