import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import type { SecretBox } from "./secret-box.ts";
import { newWebhookSecret } from "./sign-webhook.ts";
import { CHANNEL_NOT_FOUND, findChannel, type StoredChannel } from "./stored-channel.ts";

export const ROTATION_UNDER_WAY = "A rotation is under way";
export const NOT_SIGNED = "Only webhooks are signed";
const BOTH_SIGN_HOURS = 24;

/** Gives a webhook another secret. For a day the one before signs, too, so that receivers can change it without a gap. */
export async function rotateSecret(
  trx: Database,
  workspaceId: WorkspaceId,
  id: string,
  secrets: SecretBox,
): Promise<{ channel: StoredChannel; secret: string; previousExpiresAt: string }> {
  const channel = await findChannel(trx, workspaceId, id, { isLocked: true });
  if (!channel) throw new HttpError(404, CHANNEL_NOT_FOUND);
  if (channel.kind !== "webhook") throw new HttpError(409, NOT_SIGNED);
  const secret = newWebhookSecret();
  const { rows } = await sql<{ previousUntil: string }>`
    update alert_channels set previous_secret = secret, secret = ${secrets.seal(workspaceId, secret)},
      previous_until = now() + make_interval(hours => ${BOTH_SIGN_HOURS})
    where workspace_id = ${workspaceId} and id = ${channel.id} and coalesce(previous_until, '-infinity') <= now()
    returning previous_until`.execute(trx);
  const [rotated] = rows;
  if (!rotated) throw new HttpError(409, ROTATION_UNDER_WAY);
  return { channel, secret, previousExpiresAt: rotated.previousUntil };
}

/** Ends the secret before the last rotation now. */
export async function endPreviousSecret(
  trx: Database,
  workspaceId: WorkspaceId,
  id: string,
): Promise<{ id: string; name: string }> {
  const { rows } = await sql<{ id: string; name: string }>`
    update alert_channels set previous_secret = null, previous_until = null
    where workspace_id = ${workspaceId} and id::text = ${id} returning id, name`.execute(trx);
  const [channel] = rows;
  if (!channel) throw new HttpError(404, CHANNEL_NOT_FOUND);
  return channel;
}
