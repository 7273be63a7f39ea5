import { sql } from "kysely";
import { textList } from "../db/text-list.ts";
import { PACKED_FIELDS } from "../payloads/packed-fields.ts";
import { payloadBytes } from "../payloads/payload-bytes.ts";
import type { PackedPayloads } from "./add-piece-payloads.ts";
import type { DerivedTrace } from "./derived-trace.ts";
import type { MergeContext } from "./merge-context.ts";
import { readSpanPayloads } from "./read-span-payloads.ts";

/**
 * Completes stored spans with inputs and outputs that log records say and that the spans lack. Returns the payloads of spans
 * that are packed, to be packed again; the rows of others are updated.
 */
export async function completeSpans(
  { client, trx, tenant: { userId } }: MergeContext,
  traceId: string,
  spanIds: string[],
  { completions }: DerivedTrace,
): Promise<PackedPayloads[]> {
  if (spanIds.length === 0) return [];
  const { rows } = await sql<{ id: string; position: number; isPacked: boolean }>`
    select id, position, coalesce(is_packed, false) as is_packed from spans
    where user_id = ${userId} and trace_id = ${traceId} and id = any(${textList(spanIds)})`.execute(trx);
  const said = (id: string): Readonly<Record<string, unknown>> => {
    const { input, output } = completions.get(id) ?? {};
    return { input, output };
  };
  for (const { id } of rows.filter(({ isPacked }) => !isPacked)) {
    const { input, output } = said(id);
    await sql`
      update spans set input = coalesce(input, ${jsonText(input)}::json),
        output = coalesce(output, ${jsonText(output)}::json)
      where user_id = ${userId} and trace_id = ${traceId} and id = ${id}`.execute(trx);
  }
  const packed: PackedPayloads[] = [];
  // As many spans at a time as fit into memory; of those, only the ones that change are kept.
  for (let left = rows.filter(({ isPacked }) => isPacked); left.length > 0; ) {
    const positions = left.map(({ position }) => position);
    const { read, unread } = await readSpanPayloads(client, userId, traceId, positions);
    for (const { id, position } of left) {
      if (unread.has(position)) continue;
      const stored = read.get(position) ?? [];
      const payloads = PACKED_FIELDS.spans.map(
        (field, index) => stored[index] ?? payloadBytes(said(id)[field]),
      );
      const isChanged = payloads.some((payload, index) => payload && !stored[index]);
      if (isChanged) packed.push({ kind: "spans", position, payloads });
    }
    left = read.size > 0 ? left.filter(({ position }) => unread.has(position)) : [];
  }
  return packed;
}

function jsonText(payload: unknown): string | null {
  const bytes = payloadBytes(payload);
  return bytes && Buffer.from(bytes).toString();
}
