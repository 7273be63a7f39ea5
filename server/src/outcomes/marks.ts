/*
 * Where inside a bad run the bad thing was, as bytes (traces.marks). Numbers are big-endian:
 *   version 1, flags 1 (bit 0: the whole run), number of marked decisions 2, number of decisions that are left out 2, number of
 *   fingerprints 1, number of lens values 1; then the positions of the marked decisions and of those left out, 2 each.
 * Positions are those of decision facts.
 */

export const MARKS_VERSION = 1;
export const MARKS_HEADER_BYTES = 8;
export const MARKS_WHOLE_RUN = 1;
/** As in decision facts: the highest position also stands for higher ones. */
const MAX_POSITION = 65_535;

export interface Marks {
  /** Every decision of the run is marked. */
  isRun: boolean;
  /** Positions of decisions after which the bad thing came. */
  marked: ReadonlySet<number>;
  /** Positions of decisions that are themselves the bad thing: they are not counted. */
  leftOut: ReadonlySet<number>;
}

/** Null if nothing is marked. */
export function encodeMarks({ isRun, marked, leftOut }: Marks): Uint8Array | null {
  if (!isRun && marked.size === 0 && leftOut.size === 0) return null;
  // A run that is marked as a whole needs no positions.
  const positions = [isRun ? [] : sorted(marked), sorted(leftOut)];
  const bytes = Buffer.alloc(MARKS_HEADER_BYTES + 2 * positions.flat().length);
  bytes.writeUInt8(MARKS_VERSION, 0);
  bytes.writeUInt8(isRun ? MARKS_WHOLE_RUN : 0, 1);
  let offset = MARKS_HEADER_BYTES;
  for (const [index, some] of positions.entries()) {
    bytes.writeUInt16BE(some.length, 2 + 2 * index);
    for (const position of some) offset = bytes.writeUInt16BE(position, offset);
  }
  return bytes;
}

const sorted = (positions: ReadonlySet<number>) =>
  [...new Set([...positions].map((position) => Math.min(position, MAX_POSITION)))]
    .sort((a, b) => a - b)
    .slice(0, MAX_POSITION);

const NO_MARKS: Marks = { isRun: false, marked: new Set(), leftOut: new Set() };

export function decodeMarks(bytes: Uint8Array | null): Marks {
  if (bytes === null || bytes[0] !== MARKS_VERSION) return NO_MARKS;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const markedCount = view.getUint16(2);
  const read = (first: number, count: number) =>
    new Set(
      Array.from({ length: count }, (_, index) => view.getUint16(MARKS_HEADER_BYTES + 2 * (first + index))),
    );
  return {
    isRun: (view.getUint8(1) & MARKS_WHOLE_RUN) !== 0,
    marked: read(0, markedCount),
    leftOut: read(markedCount, view.getUint16(4)),
  };
}
