import { PACKED_FIELDS, PACKED_KINDS, type PackedKind } from "./packed-fields.ts";

/*
 * The directory of a part says which payloads its content holds. The payloads lie one after the other, without a
 * separator: first the spans' in the order of their positions, then the events'; of each child its fields in the order of
 * PACKED_FIELDS. So lengths are enough to find each of them.
 *
 *   directory = version, length of the content, then for spans and for events: count, child*
 *   child     = position - previous position - 1, then per field: 0 if it is absent or null, else length + 1
 *
 * The version is one byte; all other numbers are varints: seven bits a byte, the lowest first, the high bit set on all
 * bytes but the last. The previous position of the first child is -1.
 */
const VERSION = 1;

/** Collects the children of one part. Spans come before events, positions ascend. */
export class DirectoryWriter {
  readonly #bytes: Record<PackedKind, number[]> = { spans: [], events: [] };
  readonly #counts: Record<PackedKind, number> = { spans: 0, events: 0 };
  readonly #last: Record<PackedKind, number> = { spans: -1, events: -1 };

  addChild(kind: PackedKind, position: number) {
    writeVarint(this.#bytes[kind], position - this.#last[kind] - 1);
    this.#last[kind] = position;
    this.#counts[kind] += 1;
  }

  /** To be called for each field of the child that was added last. */
  addLength(kind: PackedKind, length: number | null) {
    writeVarint(this.#bytes[kind], length === null ? 0 : length + 1);
  }

  get isEmpty(): boolean {
    return PACKED_KINDS.every((kind) => this.#counts[kind] === 0);
  }

  encode(contentLength: number): Buffer {
    const bytes = [VERSION];
    writeVarint(bytes, contentLength);
    for (const kind of PACKED_KINDS) {
      writeVarint(bytes, this.#counts[kind]);
      for (const byte of this.#bytes[kind]) bytes.push(byte);
    }
    return Buffer.from(bytes);
  }
}

/** Where the payloads of one child lie in the content of a part. */
export interface PackedChild {
  kind: PackedKind;
  position: number;
  /** Offset of its first payload. */
  start: number;
  /** The length of each field's payload; null if the field is absent or null. */
  lengths: (number | null)[];
}

export interface PayloadDirectory {
  contentLength: number;
  children: PackedChild[];
}

export function decodeDirectory(bytes: Uint8Array): PayloadDirectory {
  if (bytes[0] !== VERSION) throw new Error(`Payload directory of unknown version ${bytes[0]}`);
  const reader = new VarintReader(bytes, 1);
  const contentLength = reader.next();
  const children: PackedChild[] = [];
  let start = 0;
  for (const kind of PACKED_KINDS) {
    const fieldCount = PACKED_FIELDS[kind].length;
    let position = -1;
    for (let left = reader.next(); left > 0; left -= 1) {
      position += reader.next() + 1;
      const lengths: (number | null)[] = [];
      let next = start;
      for (let field = 0; field < fieldCount; field += 1) {
        const length = reader.next() - 1;
        lengths.push(length < 0 ? null : length);
        if (length > 0) next += length;
      }
      children.push({ kind, position, start, lengths });
      start = next;
    }
  }
  if (start !== contentLength) throw new Error("Payload directory does not match the length of its content");
  return { contentLength, children };
}

/** Tells of each child how many bytes its payloads have, without building anything. Returns the length of the content. */
export function visitDirectory(
  bytes: Uint8Array,
  visit: (kind: PackedKind, position: number, payloadBytes: number) => void,
): number {
  if (bytes[0] !== VERSION) throw new Error(`Payload directory of unknown version ${bytes[0]}`);
  const reader = new VarintReader(bytes, 1);
  const contentLength = reader.next();
  for (const kind of PACKED_KINDS) {
    const fieldCount = PACKED_FIELDS[kind].length;
    let position = -1;
    for (let left = reader.next(); left > 0; left -= 1) {
      position += reader.next() + 1;
      let payloadBytes = 0;
      for (let field = 0; field < fieldCount; field += 1) payloadBytes += Math.max(0, reader.next() - 1);
      visit(kind, position, payloadBytes);
    }
  }
  return contentLength;
}

function writeVarint(bytes: number[], value: number) {
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
}

class VarintReader {
  readonly #bytes: Uint8Array;
  #offset: number;

  constructor(bytes: Uint8Array, offset: number) {
    this.#bytes = bytes;
    this.#offset = offset;
  }

  next(): number {
    let value = 0;
    for (let shift = 0; shift < 32; shift += 7) {
      const byte = this.#bytes[this.#offset];
      if (byte === undefined) break;
      this.#offset += 1;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Error("Payload directory is cut off");
  }
}
