import { MAX_SPAN_FACTS_BYTES } from "./exceeded-limit.ts";
import type { MergeContext } from "./merge-context.ts";
import type { Merge, StoredPart } from "./stored-pieces.ts";

/** With more parts, what a trace is derived from is stored as one part. */
const MAX_PARTS = 16;

/**
 * Adds what a piece brings for the derivation of its trace to the rows. Returns all parts that the trace is derived from, in
 * their order; those that are stored are missing if the trace is derived later.
 */
export function addSpanFacts(
  { rows, workspace, outdated }: MergeContext,
  merge: Merge,
): readonly Uint8Array[] {
  const { piece, codec, existing, stored } = merge;
  const added = [
    ...(stored.postedSpans.length > 0 ? [codec.encodePosted(stored.postedSpans)] : []),
    ...(piece.part ? [piece.part] : []),
  ];
  const kept = existing ? stored.parts : partsWithRoom(merge);
  const all = [...kept.map((part) => part.facts), ...added];
  // Log records that came before their trace are not pending any more.
  const first = existing ? firstCompacted(all.map((part) => codec.bytesOf(part))) : 0;
  const outdatedPart = stored.parts[first];
  if (outdatedPart) {
    outdated.addOtlpParts(piece.id, outdatedPart.part);
    rows.addOtlpPart(workspace, piece.id, codec.compact(all.slice(first)));
  } else for (const part of added) rows.addOtlpPart(workspace, piece.id, part);
  return all;
}

/** The log records that came before their trace, as far as the trace has room for them. */
function partsWithRoom({ piece, codec, stored }: Merge): StoredPart[] {
  let bytes = piece.factsBytes;
  return stored.parts.filter((part) => {
    bytes += codec.bytesOf(part.facts);
    return bytes <= MAX_SPAN_FACTS_BYTES;
  });
}

/**
 * The parts from this one on are stored as one. Parts that are longer than all after them together stay, so each is written
 * again a few times at most. Lengths are those before compression, which is what writing them takes.
 */
function firstCompacted(lengths: readonly number[]): number {
  if (lengths.length <= MAX_PARTS) return lengths.length;
  let after = lengths.reduce((sum, length) => sum + length, 0);
  return lengths.findIndex((length) => {
    after -= length;
    return length <= after;
  });
}
