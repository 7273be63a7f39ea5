import type { ApiKeyScope, Role } from "@whytrace/contract";
import { sql } from "kysely";
import { readUsage, type Usage, usageColumns } from "../billing/usage.ts";
import { batchedRead } from "../db/batched-read.ts";
import type { Database } from "../db/database.ts";
import { hasHash } from "../db/statements/has-hash.ts";
import { joinedOrApart } from "../db/statements/joined-or-apart.ts";
import { unlessReadOnly } from "../db/unless-read-only.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { hashKey, isWellFormedKey } from "./key-format.ts";
import { MAKER_ROLE, rightsOf } from "./key-rights.ts";

/** The user of a key, what it may do, and the usage; no usage if the user has no subscription. */
export interface KeyOwner {
  workspaceId: WorkspaceId;
  keyId: string;
  scope: ApiKeyScope;
  /** What is left of the scope by the role that the key's maker has now. */
  rights: ApiKeyScope | undefined;
  usage: Usage | undefined;
}

interface StoredKey {
  keyHash: string;
  id: string;
  workspaceId: WorkspaceId;
  scope: ApiKeyScope;
  makerRole: Role | null;
  isRecentlyUsed: boolean | null;
}

/** Not cached, so that a revoked or expired key, or one whose maker has another role, stops working at once on every server. */
export async function findKeyOwner(db: Database, key: string): Promise<KeyOwner | undefined> {
  if (!isWellFormedKey(key)) return undefined;
  const hash = hashKey(key).toString("hex");
  return joinedOrApart(db, { joined: () => findJoined(db, hash), apart: () => findApart(db, hash) });
}

async function findJoined(db: Database, hash: string): Promise<KeyOwner | undefined> {
  const stored = await findKeyAndUsage(db, hash);
  if (!stored) return undefined;
  const { keyHash: _, id, workspaceId, scope, makerRole, isRecentlyUsed, ...usage } = stored;
  if (!isRecentlyUsed) await unlessReadOnly(recordUse(db, id));
  const rights = rightsOf(scope, makerRole);
  return { workspaceId, keyId: id, scope, rights, usage: usage.tier === null ? undefined : usage };
}

async function findApart(db: Database, hash: string): Promise<KeyOwner | undefined> {
  const stored = await findKey(db, hash);
  if (!stored) return undefined;
  const { id, workspaceId, scope, makerRole, isRecentlyUsed } = stored;
  if (!isRecentlyUsed) await unlessReadOnly(recordUse(db, id));
  return {
    workspaceId,
    keyId: id,
    scope,
    rights: rightsOf(scope, makerRole),
    usage: await readUsage(await db.of(workspaceId), workspaceId),
  };
}

const IS_RECENTLY_USED = sql`last_used_at > now() - interval '1 minute' as is_recently_used`;
const isValid = (hashes: string[]) =>
  sql`${hasHash("api_keys.key_hash", hashes)} and (api_keys.expires_at is null or api_keys.expires_at > now())`;

const findKey = batchedRead(async (db, hashes) => {
  const { rows } = await sql<StoredKey>`/* prepared */
    select encode(key_hash, 'hex') as key_hash, id, workspace_id, scope, ${MAKER_ROLE} as maker_role, ${IS_RECENTLY_USED}
    from api_keys where ${isValid(hashes)}`.execute(db);
  return new Map(rows.map((row) => [row.keyHash, row]));
});

/** Reads key and usage in one query, because ingest needs both. */
const findKeyAndUsage = batchedRead(async (db, hashes) => {
  const { rows } = await sql<StoredKey & (Usage | { tier: null })>`/* prepared */
    select encode(key_hash, 'hex') as key_hash, api_keys.id, api_keys.workspace_id, api_keys.scope,
      ${MAKER_ROLE} as maker_role, ${IS_RECENTLY_USED}, ${usageColumns()}
    from api_keys left join subscriptions on subscriptions.workspace_id = api_keys.workspace_id
    where ${isValid(hashes)}`.execute(db);
  return new Map(rows.map((row) => [row.keyHash, row]));
});

/** Writes at most once a minute, even for concurrent requests. */
async function recordUse(db: Database, keyId: string) {
  await sql`
    update api_keys set last_used_at = now()
    where id = ${keyId} and (last_used_at is null or last_used_at <= now() - interval '1 minute')`.execute(
    db,
  );
}
