import { UNLIMITED_SESSIONS } from "@whytrace/contract";
import { sql } from "kysely";
import { generateKey, hashKey, keyPrefix } from "../../packages/server/src/api-keys/key-format.ts";
import type { Database } from "../../packages/server/src/db/database.ts";
import { asWorkspaceId } from "../../packages/server/src/db/workspace-id.ts";
import { insertTenants, type Tenant } from "./tenants.ts";

export interface Sender extends Tenant {
  key: string;
}

/** The id of the nth tenant; a pgbench script can build it from its client number. */
export const senderId = (number: number) => asWorkspaceId(`00000000-0000-4000-a000-0000000000${10 + number}`);

/** Inserts up to 90 tenants without a usage limit, each with an API key. */
export async function insertSenders(db: Database, count: number): Promise<Sender[]> {
  const tenants = Array.from(
    { length: count },
    (_, index): Tenant => ({
      workspaceId: senderId(index),
      email: `ingest-${index}@bench.test`,
      tier: "PRO",
      traceCount: 0,
    }),
  );
  await insertTenants(db, tenants, UNLIMITED_SESSIONS);
  const senders: Sender[] = [];
  for (const tenant of tenants) senders.push({ ...tenant, key: await insertKey(db, tenant.workspaceId) });
  return senders;
}

async function insertKey(db: Database, workspaceId: string): Promise<string> {
  const key = generateKey();
  const hash = hashKey(key);
  await sql`
    insert into api_keys (workspace_id, name, prefix, key_hash, feedback_ref)
    values (${workspaceId}, 'bench', ${keyPrefix(key)}, ${hash}, ${hash.subarray(0, 8)})`.execute(db);
  return key;
}
