import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { insertedRows } from "../../db/statements/inserted-rows.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { EncodedManifest } from "./trace-manifest.ts";

/** Saves the manifests of traces that this transaction writes. */
export async function saveManifests(
  trx: Database,
  workspaceId: WorkspaceId,
  manifests: ReadonlyMap<string, EncodedManifest>,
): Promise<void> {
  if (manifests.size === 0) return;
  const { prepared, inserted } = insertedRows(trx, [...manifests], {
    value: ([id, manifest]) => sql`(${workspaceId}::uuid, ${id}, ${manifest.bytes}::bytea)`,
    select: (rows) => {
      const saved = rows.map(([id, manifest]) => ({ id, hashes: manifest.bytes.toString("hex") }));
      return sql`select ${workspaceId}, id, decode(hashes, 'hex')
        from json_to_recordset(${JSON.stringify(saved)}::json) as saved (id text, hashes text)`;
    },
  });
  await sql`${prepared}
    insert into trace_manifests (workspace_id, trace_id, hashes) ${inserted}
    on conflict (workspace_id, trace_id) do update set hashes = excluded.hashes`.execute(trx);
}

export async function deleteManifests(
  trx: Database,
  workspaceId: WorkspaceId,
  traceIds: string[],
): Promise<void> {
  if (traceIds.length === 0) return;
  await sql`
    delete from trace_manifests where workspace_id = ${workspaceId} and trace_id = any(${textList(traceIds)})`.execute(
    trx,
  );
}
