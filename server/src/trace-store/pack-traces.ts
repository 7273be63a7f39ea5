import { sql } from "kysely";
import type pg from "pg";
import { copyRows } from "../db/copy-rows.ts";
import type { Database } from "../db/database.ts";
import { textList } from "../db/text-list.ts";
import { PACKED_KINDS } from "../payloads/packed-fields.ts";
import { PayloadPacker } from "../payloads/payload-packer.ts";
import { deletePayloads } from "./delete-children.ts";
import { uuidBytes } from "./encode-traces.ts";
import { deleteManifests } from "./manifests.ts";
import type { MoveBudget } from "./move-budget.ts";
import { lockIdleTraces, payloadColumns, storedPayloads } from "./stored-payloads.ts";

/**
 * Moves the payloads of traces from the rows of their spans and events into parts. Leaves out traces that are packed and
 * those that another transaction writes, and stops when the budget is spent. Returns the ids of the moved traces.
 */
export async function packTraces(
  client: pg.PoolClient,
  trx: Database,
  userId: string,
  ids: string[],
  budget: MoveBudget,
): Promise<string[]> {
  const unpacked = (await lockIdleTraces(trx, userId, ids)).filter(({ isPacked }) => !isPacked);
  const packer = new PayloadPacker(64 * 1024);
  const user = uuidBytes(userId);
  const packed: string[] = [];
  for (const { id } of unpacked) {
    packer.beginTrace(user, id);
    for await (const { kind, position, payloads } of storedPayloads(client, userId, id)) {
      packer.addBytes(kind, position, payloads);
      budget.add(payloads);
    }
    packer.endTrace();
    packed.push(id);
    if (budget.isSpent) break;
  }
  const table = await packer.finish();
  if (packed.length > 0) {
    // Parts may exist: a server of an older version leaves them when it replaces a trace.
    await deletePayloads(trx, userId, packed);
    await Promise.all([
      table.rows.count > 0 && copyRows(client, [table]),
      ...PACKED_KINDS.map((kind) => emptyRows(trx, userId, kind, packed)),
      // The manifest of a running trace does not know of these parts.
      deleteManifests(trx, userId, packed),
      sql`
        update traces set is_packed = true, manifest_hash = null
        where user_id = ${userId} and id = any(${textList(packed)})`.execute(trx),
    ]);
  }
  return packed;
}

async function emptyRows(
  trx: Database,
  userId: string,
  kind: (typeof PACKED_KINDS)[number],
  traceIds: string[],
): Promise<void> {
  const emptied = payloadColumns(kind).map((column) => `${column} = null`);
  await sql`
    update ${sql.table(kind)} set ${sql.raw(emptied.join(", "))}, is_packed = true
    where user_id = ${userId} and trace_id = any(${textList(traceIds)}) and is_packed is not true`.execute(
    trx,
  );
}
