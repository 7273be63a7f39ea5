/*
 * Where inside a bad run the bad thing was, as bytes (traces.marks). Numbers are big-endian:
 *   version 1, flags 1 (bit 0: the whole run), number of marked decisions 2, number of decisions that are left out 2, number of
 *   fingerprints 1, always 0 1; then the positions of the marked decisions and of those left out, 2 each, the fingerprints of the
 *   reasons, 4 each, and, if bit 1 of the flags is set, the position of a decision of the turn with the first bad score 2.
 * Positions are those of decision facts.
 */

const MARKS_VERSION = 1;
export const MARKS_HEADER_BYTES = 8;
export const MARKS_WHOLE_RUN = 1;
/** The last two bytes say where the first bad score is. */
export const MARKS_SCORED_AT = 2;
/** Where the number of fingerprints is. */
export const MARKS_FINGERPRINTS_OFFSET = 6;
/** More reasons say nothing new. */
export const MAX_MARKS_FINGERPRINTS = 8;
/** As in decision facts: the highest position also stands for higher ones. */
const MAX_POSITION = 65_535;

export interface Marks {
  /** Every decision of the run is marked. */
  isRun: boolean;
  /** Positions of decisions after which the bad thing came. */
  marked: ReadonlySet<number>;
  /** Positions of decisions that are themselves the bad thing: they are not counted. */
  leftOut: ReadonlySet<number>;
  /** Of the reasons, in the order of the conditions. The first is the main reason. */
  fingerprints: readonly number[];
  /** The position of a decision of the turn at which the run got its first bad score; null if bad scores are about no one turn. */
  scoredAt: number | null;
}

/** Null if nothing is marked. */
export function encodeMarks({ isRun, marked, leftOut, fingerprints, scoredAt }: Marks): Uint8Array | null {
  const isEmpty = !isRun && marked.size === 0 && leftOut.size === 0 && fingerprints.length === 0;
  if (isEmpty && scoredAt === null) return null;
  // A run that is marked as a whole needs no positions.
  const positions = [isRun ? [] : sorted(marked), sorted(leftOut)];
  const written = fingerprints.slice(0, MAX_MARKS_FINGERPRINTS);
  const scoredAtBytes = scoredAt === null ? 0 : 2;
  const bytes = Buffer.alloc(
    MARKS_HEADER_BYTES + 2 * positions.flat().length + 4 * written.length + scoredAtBytes,
  );
  bytes.writeUInt8(MARKS_VERSION, 0);
  bytes.writeUInt8((isRun ? MARKS_WHOLE_RUN : 0) | (scoredAt === null ? 0 : MARKS_SCORED_AT), 1);
  let offset = MARKS_HEADER_BYTES;
  for (const [index, some] of positions.entries()) {
    bytes.writeUInt16BE(some.length, 2 + 2 * index);
    for (const position of some) offset = bytes.writeUInt16BE(position, offset);
  }
  bytes.writeUInt8(written.length, MARKS_FINGERPRINTS_OFFSET);
  for (const fingerprint of written) offset = bytes.writeUInt32BE(fingerprint, offset);
  if (scoredAt !== null) bytes.writeUInt16BE(Math.min(scoredAt, MAX_POSITION), offset);
  return bytes;
}

const sorted = (positions: ReadonlySet<number>) =>
  [...new Set([...positions].map((position) => Math.min(position, MAX_POSITION)))]
    .sort((a, b) => a - b)
    .slice(0, MAX_POSITION);

const NO_MARKS: Marks = {
  isRun: false,
  marked: new Set(),
  leftOut: new Set(),
  fingerprints: [],
  scoredAt: null,
};

export function decodeMarks(bytes: Uint8Array | null): Marks {
  if (bytes === null || bytes[0] !== MARKS_VERSION) return NO_MARKS;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const markedCount = view.getUint16(2);
  const leftOutCount = view.getUint16(4);
  const read = (first: number, count: number) =>
    new Set(
      Array.from({ length: count }, (_, index) => view.getUint16(MARKS_HEADER_BYTES + 2 * (first + index))),
    );
  return {
    isRun: (view.getUint8(1) & MARKS_WHOLE_RUN) !== 0,
    marked: read(0, markedCount),
    leftOut: read(markedCount, leftOutCount),
    fingerprints: Array.from({ length: view.getUint8(MARKS_FINGERPRINTS_OFFSET) }, (_, index) =>
      view.getUint32(MARKS_HEADER_BYTES + 2 * (markedCount + leftOutCount) + 4 * index),
    ),
    scoredAt: (view.getUint8(1) & MARKS_SCORED_AT) === 0 ? null : view.getUint16(bytes.length - 2),
  };
}
