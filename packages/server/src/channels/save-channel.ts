import { randomUUID } from "node:crypto";
import {
  CHOSEN_EVENT_TYPES,
  type ChangedChannel,
  type ChannelKind,
  MAX_CHANNELS,
  type NewChannel,
} from "@whytrace/contract/schemas/alerts/channels";
import { sql } from "kysely";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import type { AddressRules } from "./address/check-address.ts";
import { parseChannelUrl } from "./address/parse-channel-url.ts";
import { dropDeliveries } from "./drop-deliveries.ts";
import { OPSGENIE_URL } from "./messages/opsgenie.ts";
import { PAGERDUTY_URL } from "./messages/pagerduty.ts";
import type { SecretBox } from "./secret-box.ts";
import { newWebhookSecret } from "./sign-webhook.ts";
import {
  CHANNEL_COLUMNS,
  CHANNEL_NOT_FOUND,
  findChannel,
  isChat,
  type StoredChannel,
  shownUrl,
} from "./stored-channel.ts";

export const CHANNEL_LIMIT_REACHED = `Channel limit reached (${MAX_CHANNELS})`;
export const SECRET_MISSING = "secret must be given";

/** Pagers have an address of their own. */
const DEFAULT_URLS: Readonly<Partial<Record<ChannelKind, string>>> = {
  pagerduty: PAGERDUTY_URL,
  opsgenie: OPSGENIE_URL,
};

/** A request to create a channel, with its address checked. */
interface ParsedChannel extends Omit<NewChannel, "url"> {
  url: URL;
}

/** Asks name servers, so it runs before the transaction. */
export async function parseNewChannel(body: NewChannel, rules: AddressRules): Promise<ParsedChannel> {
  const url = await parseChannelUrl(body.url ?? DEFAULT_URLS[body.kind], rules);
  const isPager = body.kind === "pagerduty" || body.kind === "opsgenie";
  if (isPager && body.secret === undefined) throw new HttpError(400, SECRET_MISSING);
  return { ...body, url };
}

/** Returns the channel, and the secret of a webhook, which is not shown again. */
export async function createChannel(
  trx: Database,
  workspaceId: WorkspaceId,
  { kind, name, url, secret, events = [...CHOSEN_EVENT_TYPES], agents = [] }: ParsedChannel,
  { secrets, createdBy }: { secrets: SecretBox; createdBy: string },
): Promise<{ channel: StoredChannel; secret: string | undefined }> {
  // Serializes the creations of a workspace, so that concurrent requests cannot exceed the limit.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`channels ${workspaceId}`}, 0))`.execute(trx);
  const { rows: counted } = await sql<{ count: number }>`
    select count(*) as count from alert_channels where workspace_id = ${workspaceId}`.execute(trx);
  if ((counted[0]?.count ?? 0) >= MAX_CHANNELS) throw new HttpError(409, CHANNEL_LIMIT_REACHED);
  const signing = kind === "webhook" ? newWebhookSecret() : undefined;
  const kept = signing ?? (isChat(kind) ? url.href : secret);
  const sealed = kept === undefined ? null : secrets.seal(workspaceId, kept);
  const { rows } = await sql<StoredChannel>`
    insert into alert_channels (workspace_id, id, kind, name, url, secret, events, agents, created_by)
    values (${workspaceId}, ${randomUUID()}, ${kind}, ${name}, ${shownUrl(kind, url)}, ${sealed}, ${events}::text[],
      ${agents}::text[], ${createdBy})
    returning ${CHANNEL_COLUMNS}`.execute(trx);
  const [channel] = rows;
  if (!channel) throw new Error("The channel was not inserted");
  return { channel, secret: signing };
}

interface ParsedChange extends Omit<ChangedChannel, "url"> {
  url?: URL;
}

export const parseChangedChannel = async (
  { url, ...body }: ChangedChannel,
  rules: AddressRules,
): Promise<ParsedChange> => (url === undefined ? body : { ...body, url: await parseChannelUrl(url, rules) });

/**
 * Changes what is given. A secret belongs to the origin that it was made or entered for: another origin needs one of its own, or
 * the address of a channel could be used to read its secret. Returns the new secret of a webhook, which is not shown again.
 */
export async function changeChannel(
  trx: Database,
  workspaceId: WorkspaceId,
  id: string,
  { name, url, secret, events, agents, isEnabled }: ParsedChange,
  secrets: SecretBox,
): Promise<{ channel: StoredChannel; secret: string | undefined }> {
  const channel = await findChannel(trx, workspaceId, id, { isLocked: true });
  if (!channel) throw new HttpError(404, CHANNEL_NOT_FOUND);
  const { kind } = channel;
  const isMoved = url !== undefined && !isChat(kind) && url.origin !== new URL(channel.url).origin;
  const isSigned = kind === "webhook";
  if (isMoved && !isSigned && secret === undefined) throw new HttpError(400, SECRET_MISSING);
  const signing = isMoved && isSigned ? newWebhookSecret() : undefined;
  const kept = isSigned ? signing : isChat(kind) ? url?.href : secret;
  const sealed = kept === undefined ? channel.secret : secrets.seal(workspaceId, kept);
  const { rows } = await sql<StoredChannel>`
    update alert_channels set name = ${name ?? channel.name}, url = ${url ? shownUrl(kind, url) : channel.url},
      secret = ${sealed}, previous_secret = ${isMoved ? null : channel.previousSecret},
      previous_until = ${isMoved ? null : channel.previousUntil}, events = ${events ?? channel.events}::text[], agents = ${agents ?? channel.agents}::text[],
      is_enabled = ${isEnabled ?? channel.isEnabled}, disabled_reason = ${isEnabled ? null : channel.disabledReason},
      failing_since = ${isEnabled ? null : channel.failingSince}, failures = case when ${isEnabled ?? false} then 0 else failures end
    where workspace_id = ${workspaceId} and id = ${channel.id} returning ${CHANNEL_COLUMNS}`.execute(trx);
  if (isEnabled === false) await dropDeliveries(trx, workspaceId, channel.id);
  return { channel: rows[0] ?? channel, secret: signing };
}

/** Deletes a channel with its log, and returns what it was. */
export async function deleteChannel(
  trx: Database,
  workspaceId: WorkspaceId,
  id: string,
): Promise<StoredChannel> {
  const channel = await findChannel(trx, workspaceId, id, { isLocked: true });
  if (!channel) throw new HttpError(404, CHANNEL_NOT_FOUND);
  await deleteChannels(trx, workspaceId, [channel.id]);
  return channel;
}

/** Deletes the channels that a person made in the workspaces of which they are a member. Returns their number. */
export async function deleteChannelsOf(trx: Database, userId: UserId): Promise<number> {
  const { rows: memberships } = await sql<{ workspaceId: WorkspaceId }>`
    select workspace_id from memberships where user_id = ${userId} order by workspace_id`.execute(trx);
  let deleted = 0;
  for (const { workspaceId } of memberships) {
    const { rows } = await sql<{ id: string }>`
      select id from alert_channels where workspace_id = ${workspaceId} and created_by = ${userId}
      order by id for update`.execute(trx);
    if (rows.length > 0)
      await deleteChannels(
        trx,
        workspaceId,
        rows.map(({ id }) => id),
      );
    deleted += rows.length;
  }
  return deleted;
}

async function deleteChannels(trx: Database, workspaceId: WorkspaceId, ids: string[]): Promise<void> {
  await sql`
    delete from delivery_attempts where workspace_id = ${workspaceId} and delivery_id in (
      select id from alert_deliveries
      where workspace_id = ${workspaceId} and channel_id = any(${ids}::uuid[]))`.execute(trx);
  await sql`
    delete from alert_deliveries
    where workspace_id = ${workspaceId} and channel_id = any(${ids}::uuid[])`.execute(trx);
  await sql`
    delete from alert_channels where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`.execute(trx);
}
