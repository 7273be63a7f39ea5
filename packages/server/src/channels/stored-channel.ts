import type { AlertEventType, Channel, ChannelKind } from "@whytrace/contract/schemas/alerts/channels";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

export interface StoredChannel {
  id: string;
  kind: ChannelKind;
  name: string;
  url: string;
  secret: Buffer | null;
  previousSecret: Buffer | null;
  previousUntil: string | null;
  events: Exclude<AlertEventType, "channel.test">[];
  agents: string[];
  isEnabled: boolean;
  disabledReason: string | null;
  failingSince: string | null;
  createdAt: string;
}

export const CHANNEL_COLUMNS = sql.raw(
  "id, kind, name, url, secret, previous_secret, previous_until, events, agents, is_enabled, disabled_reason, failing_since, created_at",
);

/** Chats have no secret but their address. */
const CHATS: ReadonlySet<ChannelKind> = new Set<ChannelKind>(["slack", "discord", "teams"]);
export const isChat = (kind: ChannelKind) => CHATS.has(kind);

/** The address of a chat as it is shown. */
export const shownUrl = (kind: ChannelKind, url: URL) =>
  isChat(kind) ? `${url.origin}/…${url.href.slice(-4)}` : url.href;

export const CHANNEL_NOT_FOUND = "Channel not found";

/** Undefined if the workspace has no such channel. With `isLocked`, nobody else changes it until the transaction ends. */
export async function findChannel(
  db: Database,
  workspaceId: WorkspaceId,
  id: string,
  { isLocked = false } = {},
): Promise<StoredChannel | undefined> {
  const { rows } = await sql<StoredChannel>`
    select ${CHANNEL_COLUMNS} from alert_channels where workspace_id = ${workspaceId} and id::text = ${id}
    ${isLocked ? sql`for update` : sql``}`.execute(db);
  return rows[0];
}

/** What the API shows of a channel: no secret. */
export const describeChannel = ({
  secret: _secret,
  previousSecret: _previous,
  previousUntil,
  ...channel
}: StoredChannel): Channel => ({
  ...channel,
  previousSecretExpiresAt:
    previousUntil !== null && Date.parse(previousUntil) > Date.now() ? previousUntil : null,
});
