import { sql } from "kysely";
import { batchedRead } from "../db/batched-read.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { MAKER_ROLE } from "./key-rights.ts";

/** An API key that mints feedback tokens. */
interface FeedbackKey {
  id: string;
  workspaceId: WorkspaceId;
  keyHash: Buffer;
}

/**
 * Finds a key by what its feedback tokens say. Not cached, so that the tokens of a key stop working at once
 * on every server. Of forged tokens, many share one query.
 */
export const findFeedbackKey = (db: Database, ref: Uint8Array): Promise<FeedbackKey | undefined> =>
  findByRef(db, Buffer.from(ref).toString("hex"));

const findByRef = batchedRead(async (db, refs: string[]) => {
  const { rows } = await sql<FeedbackKey & { ref: string }>`/* prepared */
    select encode(feedback_ref, 'hex') as ref, id, workspace_id, key_hash from api_keys
    where feedback_ref = any(${refs.map((ref) => Buffer.from(ref, "hex"))}::bytea[])
      and scope = 'send' and ${MAKER_ROLE} is distinct from 'viewer' and (expires_at is null or expires_at > now())`.execute(
    db,
  );
  return new Map(rows.map(({ ref, ...key }) => [ref, key]));
});
