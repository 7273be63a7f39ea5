import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { isSharded } from "../db/sharding.ts";
import { textList } from "../db/text-list.ts";
import type { TraceManifest } from "./trace-manifest.ts";

/** Saves the manifests of traces that this transaction writes. */
export async function saveManifests(
  trx: Database,
  userId: string,
  manifests: ReadonlyMap<string, TraceManifest>,
): Promise<void> {
  if (manifests.size === 0) return;
  // A cluster passes on rows that are given one by one; others it would collect first.
  const isGiven = isSharded(trx) || manifests.size === 1;
  const saved = () =>
    [...manifests].map(([id, manifest]) => ({ id, hashes: manifest.encoded.toString("hex") }));
  const rows = isGiven
    ? sql`values ${sql.join([...manifests].map(([id, manifest]) => sql`(${userId}::uuid, ${id}, ${manifest.encoded}::bytea)`))}`
    : sql`select ${userId}, id, decode(hashes, 'hex')
        from json_to_recordset(${JSON.stringify(saved())}::json) as saved (id text, hashes text)`;
  await sql`${sql.raw(isGiven && manifests.size > 1 ? "" : "/* prepared */")}
    insert into trace_manifests (user_id, trace_id, hashes) ${rows}
    on conflict (user_id, trace_id) do update set hashes = excluded.hashes`.execute(trx);
}

export async function deleteManifests(trx: Database, userId: string, traceIds: string[]): Promise<void> {
  if (traceIds.length === 0) return;
  await sql`
    delete from trace_manifests where user_id = ${userId} and trace_id = any(${textList(traceIds)})`.execute(
    trx,
  );
}
