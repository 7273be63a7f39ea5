import { sql } from "kysely";
import type pg from "pg";
import type { Database } from "../db/database.ts";
import { textList } from "../db/text-list.ts";
import { PACKED_FIELDS, PACKED_KINDS, type PackedKind } from "../payloads/packed-fields.ts";
import { deletePayloads } from "./delete-children.ts";
import { deleteManifests } from "./manifests.ts";
import type { MoveBudget } from "./move-budget.ts";
import { columnOf } from "./record-columns.ts";
import { type ChildPayloads, lockIdleTraces, storedPayloads } from "./stored-payloads.ts";

const CHILDREN_PER_STATEMENT = 2_000;

/**
 * Moves the payloads of traces from their parts back into the rows of their spans and events, for a version of the service
 * that cannot read parts. Otherwise like `packTraces`. Deletes parts whose trace does not exist.
 */
export async function unpackTraces(
  client: pg.PoolClient,
  trx: Database,
  userId: string,
  ids: string[],
  budget: MoveBudget,
): Promise<string[]> {
  const locked = await lockIdleTraces(trx, userId, ids);
  const unpacked: string[] = [];
  for (const { id } of locked) {
    const packed: Record<PackedKind, ChildPayloads[]> = { spans: [], events: [] };
    for await (const child of storedPayloads(client, userId, id)) {
      if (child.isPacked) packed[child.kind].push(child);
      budget.add(child.payloads);
    }
    for (const kind of PACKED_KINDS)
      for (let start = 0; start < packed[kind].length; start += CHILDREN_PER_STATEMENT) {
        const children = packed[kind].slice(start, start + CHILDREN_PER_STATEMENT);
        await fillRows(trx, userId, id, kind, children);
      }
    unpacked.push(id);
    if (budget.isSpent) break;
  }
  await Promise.all([
    deletePayloads(trx, userId, unpacked),
    deleteManifests(trx, userId, unpacked),
    sql`
      update traces set is_packed = false, manifest_hash = null
      where user_id = ${userId} and id = any(${textList(unpacked)})`.execute(trx),
    deleteOrphans(trx, userId, ids),
  ]);
  return unpacked;
}

/** Like in `updateTraces`, the payloads are one binary parameter, and a JSON parameter says where each of them is. */
async function fillRows(
  trx: Database,
  userId: string,
  traceId: string,
  kind: PackedKind,
  children: ChildPayloads[],
): Promise<void> {
  const fields = PACKED_FIELDS[kind];
  const bytes: Buffer[] = [];
  let length = 0;
  const sent = children.map(({ position, payloads }) => {
    const values: Record<string, number> = { position };
    for (const [index, payload] of payloads.entries()) {
      if (!payload) continue;
      // PostgreSQL counts bytes from 1.
      values[`${fields[index]}Start`] = length + 1;
      values[`${fields[index]}Length`] = payload.length;
      length += payload.length;
      bytes.push(payload);
    }
    return values;
  });
  const columns = fields.map((field) => `"${field}Start" integer, "${field}Length" integer`);
  const read = fields.map(
    (field) =>
      `convert_from(substr(payloads.bytes, "${field}Start", "${field}Length"), 'UTF8')::json as ${columnOf(field)}`,
  );
  const filled = fields.map((field) => `${columnOf(field)} = sent.${columnOf(field)}`);
  // A cluster allows no function of a sent value in an assignment. `offset 0` keeps the planner from moving them there.
  await sql`
    update ${sql.table(kind)} as child set ${sql.raw(filled.join(", "))}, is_packed = null
    from (
      select position, ${sql.raw(read.join(", "))}
      from (select ${Buffer.concat(bytes)}::bytea as bytes) as payloads,
        json_to_recordset(${JSON.stringify(sent)}::json) as sent (position integer, ${sql.raw(columns.join(", "))})
      offset 0
    ) as sent
    where child.user_id = ${userId} and child.trace_id = ${traceId} and child.position = sent.position`.execute(
    trx,
  );
}

/** A server of an older version leaves the parts of a trace that it deletes. */
async function deleteOrphans(trx: Database, userId: string, ids: string[]): Promise<void> {
  await sql`
    delete from trace_payloads as payloads
    where user_id = ${userId} and trace_id = any(${textList(ids)})
      and not exists (select from traces where user_id = ${userId} and id = payloads.trace_id)`.execute(trx);
}
