import type { ParsedEvent, ParsedSpan } from "@whytrace/contract";
import { sql } from "kysely";
import { copyOut } from "../db/copy-out.ts";
import { PACKED_FIELDS, PACKED_KINDS, type PackedKind } from "../payloads/packed-fields.ts";
import { payloadBytes } from "../payloads/payload-bytes.ts";
import { partsQuery, TracePayloads } from "../payloads/trace-payloads.ts";
import type { MergeContext } from "./merge-context.ts";
import type { MergeState } from "./merge-state.ts";
import type { TracePiece } from "./trace-piece.ts";

/** With more small parts, they are packed together. */
const MAX_OPEN_PARTS = 16;
/** When the root has come, the trace is probably complete, and worth being packed together. */
const MAX_OPEN_PARTS_AT_END = 4;
/** Parts with so much are not packed again with later ones. */
const MAX_OPEN_BYTES = 256 * 1024;

export interface PackedPayloads {
  kind: PackedKind;
  position: number;
  /** In the order of `PACKED_FIELDS`. */
  payloads: (Uint8Array | null)[];
}

export const packedPayloads = (
  kind: PackedKind,
  position: number,
  record: ParsedSpan | ParsedEvent,
): PackedPayloads => {
  const values: Readonly<Record<string, unknown>> = { ...record };
  return { kind, position, payloads: PACKED_FIELDS[kind].map((field) => payloadBytes(values[field])) };
};

/**
 * Adds payloads of a piece to the rows, as a part of their own, or together with the small parts before it if there are
 * many. Each byte is packed again a few times at most. Returns the open parts after that.
 */
export async function addPiecePayloads(
  { client, trx, tenant: { userId }, rows, user }: MergeContext,
  { id, hasRoot }: TracePiece,
  children: PackedPayloads[],
  { openPart, openBytes, nextPart }: Pick<MergeState, "openPart" | "openBytes"> & { nextPart: number },
): Promise<Pick<MergeState, "openPart" | "openBytes">> {
  if (children.length === 0 || !rows.isPacked) return { openPart, openBytes };
  // A worker may have packed the trace again, into fewer parts.
  const firstOpen = Math.min(openPart, nextPart);
  const openParts = nextPart - firstOpen;
  const isFull = openParts >= (hasRoot ? MAX_OPEN_PARTS_AT_END : MAX_OPEN_PARTS);
  const packed = [...children];
  if (isFull) {
    const stored = new TracePayloads(await copyOut(client, partsQuery(userId, id, firstOpen)));
    for (const kind of PACKED_KINDS) {
      const written = new Set(
        children.filter((child) => child.kind === kind).map(({ position }) => position),
      );
      for (const position of stored.positions(kind))
        if (!written.has(position))
          packed.push({ kind, position, payloads: await stored.read(kind, position) });
    }
    await sql`/* prepared */
      delete from trace_payloads
      where user_id = ${userId} and trace_id = ${id} and part >= ${firstOpen}`.execute(trx);
  }
  packed.sort(
    (a, b) => PACKED_KINDS.indexOf(a.kind) - PACKED_KINDS.indexOf(b.kind) || a.position - b.position,
  );
  const afterLast = rows.addPackedChildren(user, id, packed, isFull ? firstOpen : nextPart);
  const addedBytes = packed.reduce(
    (sum, { payloads }) => sum + payloads.reduce((bytes, payload) => bytes + (payload?.length ?? 0), 0),
    0,
  );
  const bytes = isFull ? addedBytes : openBytes + addedBytes;
  return bytes > MAX_OPEN_BYTES
    ? { openPart: afterLast, openBytes: 0 }
    : { openPart: firstOpen, openBytes: bytes };
}
