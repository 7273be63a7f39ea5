import { randomUUID } from "node:crypto";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { addEvents } from "./announce.ts";
import { CHANNEL_NOT_FOUND, findChannel } from "./stored-channel.ts";

export const CHANNEL_DISABLED = "Channel is disabled. Enable it first.";

/** Sends a test message. Returns the id of its delivery. */
export async function testChannel(trx: Database, workspaceId: WorkspaceId, id: string): Promise<string> {
  const channel = await findChannel(trx, workspaceId, id, { isLocked: true });
  if (!channel) throw new HttpError(404, CHANNEL_NOT_FOUND);
  if (!channel.isEnabled) throw new HttpError(409, CHANNEL_DISABLED);
  const event = {
    type: "channel.test",
    subject: `test:${randomUUID()}`,
    sequence: 1,
    payload: {},
    traceId: null,
  } as const;
  const [deliveryId = ""] = await addEvents(trx, workspaceId, [{ event, channelIds: [channel.id] }]);
  return deliveryId;
}
