import { sql } from "kysely";
import { textList } from "../../db/statements/text-list.ts";
import { PACKED_FIELDS } from "../../payloads/packed-fields.ts";
import { payloadBytes } from "../../payloads/payload-bytes.ts";
import type { DerivedTrace } from "../rows/derived-trace.ts";
import type { PackedPayloads } from "./add-piece-payloads.ts";
import type { MergeContext } from "./merge-context.ts";
import { readSpanPayloads } from "./read-span-payloads.ts";

/**
 * Completes stored spans with inputs and outputs that log records say and that the spans lack. Returns the payloads of the
 * spans that change, to be packed again.
 */
export async function completeSpans(
  { client, trx, workspaceId }: MergeContext,
  traceId: string,
  spanIds: string[],
  { completions }: DerivedTrace,
): Promise<PackedPayloads[]> {
  if (spanIds.length === 0) return [];
  const { rows } = await sql<{ id: string; position: number }>`
    select id, position from spans
    where workspace_id = ${workspaceId} and trace_id = ${traceId} and id = any(${textList(spanIds)})`.execute(
    trx,
  );
  const said = (id: string): Readonly<Record<string, unknown>> => {
    const { input, output } = completions.get(id) ?? {};
    return { input, output };
  };
  const packed: PackedPayloads[] = [];
  // As many spans at a time as fit into memory; of those, only the ones that change are kept.
  for (let left = rows; left.length > 0; ) {
    const positions = left.map(({ position }) => position);
    const { read, unread } = await readSpanPayloads(client, workspaceId, traceId, positions);
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
