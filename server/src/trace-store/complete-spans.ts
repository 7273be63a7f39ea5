import { sql } from "kysely";
import { copyOut } from "../db/copy-out.ts";
import { textList } from "../db/text-list.ts";
import { PACKED_FIELDS } from "../payloads/packed-fields.ts";
import { payloadBytes } from "../payloads/payload-bytes.ts";
import { partsQuery, TracePayloads } from "../payloads/trace-payloads.ts";
import type { PackedPayloads } from "./add-piece-payloads.ts";
import type { DerivedTrace } from "./derived-trace.ts";
import type { MergeContext } from "./merge-context.ts";

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
  const packed: PackedPayloads[] = [];
  if (rows.length === 0) return packed;
  const parts = new TracePayloads(await copyOut(client, partsQuery(userId, traceId)));
  for (const { id, position, isPacked } of rows) {
    const { input, output } = completions.get(id) ?? {};
    if (isPacked) {
      const stored = await parts.read("spans", position);
      const said: Readonly<Record<string, unknown>> = { input, output };
      const payloads = PACKED_FIELDS.spans.map((field, index) => stored[index] ?? payloadBytes(said[field]));
      const isChanged = payloads.some((payload, index) => payload && !stored[index]);
      if (isChanged) packed.push({ kind: "spans", position, payloads });
    } else
      await sql`
        update spans set input = coalesce(input, ${jsonText(input)}::json),
          output = coalesce(output, ${jsonText(output)}::json)
        where user_id = ${userId} and trace_id = ${traceId} and id = ${id}`.execute(trx);
  }
  return packed;
}

function jsonText(payload: unknown): string | null {
  const bytes = payloadBytes(payload);
  return bytes && Buffer.from(bytes).toString();
}
