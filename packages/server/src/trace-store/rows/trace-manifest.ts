import { hash } from "node:crypto";
import type {
  ChildKind,
  ParsedDecisionPoint,
  ParsedEvent,
  ParsedSpan,
  ParsedTrace,
} from "@whytrace/contract";
import type { PackedSize } from "../../payloads/payload-packer.ts";

/*
 * A running trace is sent again and again, each time with everything that happened so far. Deleting and writing hundreds of
 * rows because one was added would cost more than the first request did. So a manifest is stored beside a running trace: a
 * hash of each child's bytes, in the order sent. When the trace comes again, only children whose hash is new become rows,
 * and only positions whose hash changed are deleted before that.
 *
 * A child's row depends on its bytes and its position. The row of a decision point also depends on whether its parent is a
 * span of the trace and on the trace's name, which can be searched; both are hashed with it. The row of a span may contain a
 * computed cost, which depends on prices and is hashed with it. So equal hashes mean an equal row. If a child moves, the hashes of both positions change, so no id is inserted while its old row exists.
 *
 * Rows hold masked values, so a manifest also has the version of the rules by which its trace was masked. Other rules make other
 * rows of the same bytes: then all rows are replaced.
 *
 * The row of the trace contains a hash of its manifest, so that a manifest of another version of the trace is not used.
 *
 * Encoding: for each kind of child their number in four bytes and eight bytes for each hash; then how many parts the trace's
 * packed payloads have and how many bytes they hold, four bytes each; then the version of the rules, eight bytes; at the end one byte with the version of rows and
 * hashes. A workspace that finds two children with the same hash only affects their own trace, so the
 * hashes need not withstand attacks.
 */

/** Increase it when the same child gets another row or hash, so that stored rows are written again. */
const VERSION = 4;
const KINDS = ["spans", "decisionPoints", "events"] as const satisfies ChildKind[];
const HASH_BYTES = 8;
const NOTHING: PackedSize = { parts: 0, bytes: 0 };
/** Rewriting fewer children costs less than a manifest. */
const MIN_CHILDREN = 4;

/** Each hash is eight bytes, as a string of eight characters. */
type Hashes = Record<ChildKind, string[]>;

interface Manifest {
  hashes: Hashes;
  packed: PackedSize;
  maskingVersion: number;
}

/** Whether a trace gets a manifest: it will be sent again, and it is large enough. */
export const hasManifest = ({ status, spans, decisionPoints, events }: ParsedTrace) =>
  status === "RUNNING" && spans.length + decisionPoints.length + events.length >= MIN_CHILDREN;

export interface StoredManifest {
  /** The encoded manifest. */
  hashes: Buffer | null;
  /** The hash of the manifest that was written together with the row of the trace. */
  manifestHash: Buffer | null;
}

export interface EncodedManifest {
  bytes: Buffer;
  /** What the row of the trace contains. */
  hash: Buffer;
}

export class TraceManifest {
  readonly #stored: Manifest | undefined;
  readonly #sent: Hashes;
  readonly #maskingVersion: number;

  /** `stored` is what the last request that had this trace has stored, if it exists. */
  constructor(trace: ParsedTrace, stored: StoredManifest | undefined) {
    this.#maskingVersion = trace.masking?.version ?? 0;
    const known = stored && readStored(stored);
    this.#stored = known?.maskingVersion === this.#maskingVersion ? known : undefined;
    this.#sent = {
      spans: trace.spans.map((span) => hashOf(spanBytes(span))),
      decisionPoints: trace.decisionPoints.map((decision) =>
        hashOf(
          Buffer.concat([
            Buffer.from(JSON.stringify([trace.name, decision.parentSpanId])),
            bytesOf(decision),
          ]),
        ),
      ),
      events: trace.events.map((event) => hashOf(bytesOf(event))),
    };
  }

  /** Whether the stored rows can be compared with what was sent. If not, all of them are replaced. */
  get isComparable(): boolean {
    return this.#stored !== undefined;
  }

  /** What is packed of the stored trace. */
  get storedPacked(): PackedSize {
    return this.#stored?.packed ?? NOTHING;
  }

  /** Whether the child at this position has to be written. */
  readonly isChanged = (kind: ChildKind, position: number): boolean =>
    this.#sent[kind][position] !== this.#stored?.hashes[kind][position];

  /** The positions whose child has to be written. */
  changedPositions(kind: ChildKind): number[] {
    return [...this.#sent[kind].keys()].filter((position) => this.isChanged(kind, position));
  }

  /** The positions whose stored row has to be deleted. */
  outdatedPositions(kind: ChildKind): number[] {
    return [...(this.#stored?.hashes[kind] ?? []).keys()].filter((position) =>
      this.isChanged(kind, position),
    );
  }

  /** Encodes what is stored for the next time. `packed` is what is packed of the trace after this request. */
  encode(packed: PackedSize): EncodedManifest {
    const bytes = encode({ hashes: this.#sent, packed, maskingVersion: this.#maskingVersion });
    return { bytes, hash: manifestHash(bytes) };
  }
}

/** A span's JSON, and its cost if that is not part of it. */
const spanBytes = (span: ParsedSpan): Uint8Array =>
  span.priceSource && span.source
    ? Buffer.concat([span.source.bytes, Buffer.from(`${span.costUsd} ${span.priceSource}`)])
    : bytesOf(span);

/** A child's JSON: as it was sent or, if the caller has a value instead, its JSON. */
const bytesOf = (child: ParsedSpan | ParsedDecisionPoint | ParsedEvent): Uint8Array =>
  child.source?.bytes ?? Buffer.from(JSON.stringify(child));

const hashOf = (bytes: Uint8Array) => hash("sha1", bytes, "binary").slice(0, HASH_BYTES);

const manifestHash = (encoded: Buffer) => Buffer.from(hashOf(encoded), "latin1");

/** Undefined if the manifest was not written together with the row of the trace. */
function readStored({ hashes, manifestHash: expected }: StoredManifest): Manifest | undefined {
  return hashes && expected && manifestHash(hashes).equals(expected) ? decode(hashes) : undefined;
}

function encode({ hashes, packed, maskingVersion }: Manifest): Buffer {
  const lists = KINDS.flatMap((kind) => [
    encodeNumber(hashes[kind].length),
    Buffer.from(hashes[kind].join(""), "latin1"),
  ]);
  return Buffer.concat([
    ...lists,
    encodeNumber(packed.parts),
    encodeNumber(packed.bytes),
    encodeVersion(maskingVersion),
    Buffer.from([VERSION]),
  ]);
}

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function encodeVersion(version: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(version));
  return bytes;
}

/** Undefined if another version of the service encoded it. */
function decode(bytes: Buffer): Manifest | undefined {
  if (bytes.at(-1) !== VERSION) return undefined;
  const hashes: Hashes = { spans: [], decisionPoints: [], events: [] };
  let offset = 0;
  for (const kind of KINDS) {
    const count = bytes.readUInt32BE(offset);
    offset += 4;
    for (let position = 0; position < count; position += 1, offset += HASH_BYTES)
      hashes[kind].push(bytes.toString("latin1", offset, offset + HASH_BYTES));
  }
  return {
    hashes,
    packed: { parts: bytes.readUInt32BE(offset), bytes: bytes.readUInt32BE(offset + 4) },
    maskingVersion: Number(bytes.readBigUInt64BE(offset + 8)),
  };
}
