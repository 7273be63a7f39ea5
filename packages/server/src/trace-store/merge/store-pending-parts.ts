import { sql } from "kysely";
import { requireKeys } from "../../api-keys/revoke-api-key.ts";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { requireMaskingVersion } from "../masking/require-masking-version.ts";
import { lockPendingParts } from "./lock-pending-parts.ts";

/** A workspace's parts that wait for their traces. */
export const MAX_PENDING = 10_000;
const MAX_PENDING_BYTES = 64 * 1024 * 1024;
const PENDING_HOURS = 1;

/**
 * Stores parts, by trace id, of traces that do not exist yet, until these are created. Returns the ids of traces that exist:
 * the caller merges their parts. Stores nothing if too many parts wait already.
 */
export async function storePendingParts(
  trx: Database,
  { workspaceId, keyId }: { workspaceId: WorkspaceId; keyId: string | undefined },
  parts: ReadonlyMap<string, Uint8Array>,
  maskingVersion: number,
): Promise<{ existing: string[]; isFull: boolean }> {
  const ids = [...parts.keys()];
  await lockPendingParts(trx, workspaceId, ids, "wait");
  await requireKeys(trx.directory, new Set(keyId === undefined ? [] : [keyId]));
  const { rows } = await sql<{ id: string }>`
    select id from traces where workspace_id = ${workspaceId} and id = any(${textList(ids)})`.execute(trx);
  const existing = rows.map((row) => row.id);
  const isExisting = new Set(existing);
  const pending = ids.filter((id) => !isExisting.has(id));
  if (pending.length === 0) return { existing, isFull: false };
  const { rows: counted } = await sql<{ count: number; bytes: number }>`
    select count(*)::integer as count, coalesce(sum(octet_length(facts)), 0)::bigint as bytes from (
      select facts from otlp_parts where workspace_id = ${workspaceId} and is_pending limit ${MAX_PENDING}
    ) as pending`.execute(trx);
  const { count, bytes } = counted[0] ?? { count: 0, bytes: 0 };
  const pendingBytes = pending.reduce((sum, id) => sum + (parts.get(id)?.length ?? 0), bytes);
  if (count + pending.length > MAX_PENDING || pendingBytes > MAX_PENDING_BYTES)
    return { existing, isFull: true };
  const sent = pending.map((id) => ({ id, facts: Buffer.from(parts.get(id) ?? []).toString("hex") }));
  await sql`
    insert into otlp_parts (workspace_id, trace_id, is_pending, facts)
    select ${workspaceId}, id, true, decode(facts, 'hex')
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent (id text, facts text)`.execute(trx);
  await requireMaskingVersion(trx, workspaceId, maskingVersion);
  return { existing, isFull: false };
}

/** Deletes parts whose traces have not come. */
export async function sweepPendingParts(db: Database): Promise<void> {
  await sql`
    delete from otlp_parts
    where is_pending and created_at < now() - make_interval(hours => ${PENDING_HOURS})`.execute(db);
}
