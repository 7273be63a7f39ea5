import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import { sql } from "kysely";
import type pg from "pg";
import { type CopiedRow, copyOut } from "../db/copy-out.ts";
import type { Database } from "../db/database.ts";
import { textList } from "../db/text-list.ts";
import { PACKED_FIELDS, PACKED_KINDS, type PackedKind } from "../payloads/packed-fields.ts";
import { partsQuery, TracePayloads } from "../payloads/trace-payloads.ts";
import { columnOf } from "./record-columns.ts";

const CHILDREN_PER_STEP = 512;

/** A trace as its payloads are moved. */
export interface MovedTrace {
  id: string;
  isPacked: boolean;
}

/**
 * Locks the user's traces with these ids, as whoever writes or deletes them does, and returns them in this order. Leaves
 * out those that another transaction has locked.
 */
export async function lockIdleTraces(trx: Database, userId: string, ids: string[]): Promise<MovedTrace[]> {
  const { rows } = await sql<MovedTrace>`
    select id, is_packed from traces where user_id = ${userId} and id = any(${textList(ids)})
    for update skip locked`.execute(trx);
  const locked = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => locked.get(id) ?? []);
}

export const payloadColumns = (kind: PackedKind): string[] => PACKED_FIELDS[kind].map(columnOf);

/** A child's payloads, in the order of `PACKED_FIELDS`. */
export interface ChildPayloads {
  kind: PackedKind;
  position: number;
  /** Whether they are stored in a part, not in the child's row. */
  isPacked: boolean;
  payloads: (Buffer | null)[];
}

/** Reads the payloads of a trace's children, spans first, in the order of their positions, from their rows or parts. */
export async function* storedPayloads(
  client: pg.PoolClient,
  userId: string,
  traceId: string,
): AsyncGenerator<ChildPayloads> {
  const rowsOf = (kind: PackedKind) =>
    copyOut(
      client,
      sql`
        select position, coalesce(is_packed, false), ${sql.raw(payloadColumns(kind).join(", "))}
        from ${sql.table(kind)} where user_id = ${userId} and trace_id = ${traceId} order by position`,
    );
  const [parts, ...lists] = await Promise.all([
    copyOut(client, partsQuery(userId, traceId)),
    ...PACKED_KINDS.map(rowsOf),
  ]);
  const packed = new TracePayloads(parts);
  for (const [index, kind] of PACKED_KINDS.entries())
    for (const [count, row] of (lists[index] ?? []).entries()) {
      yield await childPayloads(kind, row, packed);
      if (count % CHILDREN_PER_STEP === CHILDREN_PER_STEP - 1) await nextEventLoopTurn();
    }
}

async function childPayloads(
  kind: PackedKind,
  [position, packedFlag, ...own]: CopiedRow,
  parts: TracePayloads,
): Promise<ChildPayloads> {
  const place = position?.readInt32BE() ?? 0;
  const isPacked = packedFlag?.[0] === 1;
  const stored = isPacked ? await parts.read(kind, place) : own;
  const payloads = PACKED_FIELDS[kind].map((_, field) => stored[field] ?? null);
  return { kind, position: place, isPacked, payloads };
}
