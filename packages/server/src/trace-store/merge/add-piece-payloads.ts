import type { ParsedEvent, ParsedSpan } from "@whytrace/contract";
import { PACKED_FIELDS, PACKED_KINDS, type PackedKind } from "../../payloads/packed-fields.ts";
import { payloadBytes } from "../../payloads/payload-bytes.ts";
import type { MergeState } from "../rows/merge-state.ts";
import type { TracePiece } from "../rows/trace-piece.ts";
import type { MergeContext } from "./merge-context.ts";
import type { StoredPieces } from "./stored-pieces.ts";

/** With more small parts, they are packed together. */
const MAX_OPEN_PARTS = 16;
/** When the root has come, the trace is probably complete, and worth being packed together. */
const MAX_OPEN_PARTS_AT_END = 4;
/** Parts with this much are not packed again with later ones. */
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

/** The last parts of a trace, which are small. */
interface OpenPartsOfTrace {
  firstPart: number;
  /** The number of the next part. */
  nextPart: number;
  /** Bytes of payloads in them. */
  bytes: number;
}

export const openPartsOf = ({ state, nextPart }: StoredPieces): OpenPartsOfTrace => ({
  firstPart: state.openPart,
  nextPart,
  bytes: state.openBytes,
});

/** Whether the payloads of a piece are packed together with the open parts. */
export const joinsOpenParts = (
  { hasRoot }: Pick<TracePiece, "hasRoot">,
  { firstPart, nextPart }: OpenPartsOfTrace,
) => nextPart - firstPart >= (hasRoot ? MAX_OPEN_PARTS_AT_END : MAX_OPEN_PARTS);

/**
 * Adds payloads of a piece to the rows, as a part of their own, or together with the small parts before it if there are
 * many. Each byte is packed again a few times at most. Returns the open parts after that.
 */
export async function addPiecePayloads(
  { rows, workspace, outdated, openParts }: MergeContext,
  piece: Pick<TracePiece, "id" | "hasRoot">,
  children: PackedPayloads[],
  open: OpenPartsOfTrace,
): Promise<Pick<MergeState, "openPart" | "openBytes">> {
  const { firstPart, nextPart } = open;
  if (children.length === 0) return { openPart: firstPart, openBytes: open.bytes };
  const isFull = joinsOpenParts(piece, open);
  const packed = [...children];
  if (isFull) {
    const stored = await openParts.read(piece.id, firstPart);
    for (const kind of PACKED_KINDS) {
      const written = new Set(
        children.filter((child) => child.kind === kind).map(({ position }) => position),
      );
      for (const position of stored.positions(kind))
        if (!written.has(position))
          packed.push({ kind, position, payloads: await stored.read(kind, position) });
    }
    outdated.addPayloads(piece.id, firstPart);
  }
  packed.sort(
    (a, b) => PACKED_KINDS.indexOf(a.kind) - PACKED_KINDS.indexOf(b.kind) || a.position - b.position,
  );
  const afterLast = rows.addPackedChildren(workspace, piece.id, packed, isFull ? firstPart : nextPart);
  const addedBytes = packed.reduce(
    (sum, { payloads }) => sum + payloads.reduce((bytes, payload) => bytes + (payload?.length ?? 0), 0),
    0,
  );
  const bytes = isFull ? addedBytes : open.bytes + addedBytes;
  return bytes > MAX_OPEN_BYTES
    ? { openPart: afterLast, openBytes: 0 }
    : { openPart: firstPart, openBytes: bytes };
}
