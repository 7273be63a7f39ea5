import { feedbackRef, feedbackSecret } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { generateKey, hashKey, keyPrefix } from "./key-format.ts";

/**
 * Adds a key that nobody knows: the permission under which a server itself lets everybody read a workspace. Long responses end
 * when it is revoked, as with other keys.
 */
export async function addUnknownKey(trx: Database, id: string, workspaceId: WorkspaceId): Promise<void> {
  const key = generateKey();
  const hash = hashKey(key);
  const ref = Buffer.from(feedbackRef(feedbackSecret(hash)));
  await sql`
    insert into api_keys (id, workspace_id, name, prefix, key_hash, feedback_ref, scope)
    values (${id}, ${workspaceId}, 'Visitors', ${keyPrefix(key)}, ${hash}, ${ref}, 'read')`.execute(trx);
}
