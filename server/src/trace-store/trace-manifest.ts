import { hash } from "node:crypto";
import type {
  ChildKind,
  ParsedDecisionPoint,
  ParsedEvent,
  ParsedSpan,
  ParsedTrace,
} from "@whytrace/contract";

/*
 * A running trace is sent again and again, each time with everything that happened so far. Deleting and writing hundreds of
 * rows because one was added would cost more than the first request did. So a manifest is stored beside a running trace: a
 * hash of each child's bytes, in the order sent. When the trace comes again, only children whose hash is new become rows,
 * and only positions whose hash changed are deleted before that.
 *
 * A child's row depends on its bytes and its position. The row of a decision point also depends on whether its parent is a
 * span of the trace and on the trace's name, which can be searched; both are hashed with it. So equal hashes mean an equal
 * row. If a child moves, the hashes of both positions change, so no id is inserted while its old row exists.
 *
 * Encoding: for each kind of child their number in four bytes and eight bytes for each hash; at the end one byte with the
 * version of rows and hashes. A user who finds two children with the same hash only affects their own trace, so the
 * hashes need not withstand attacks.
 */

/** Increase it when the same child gets another row or hash, so that stored rows are written again. */
const VERSION = 1;
const KINDS = ["spans", "decisionPoints", "events"] as const satisfies ChildKind[];
const HASH_BYTES = 8;
/** Rewriting fewer children costs less than a manifest. */
const MIN_CHILDREN = 4;

/** Each hash is eight bytes, as a string of eight characters. */
type Hashes = Record<ChildKind, string[]>;

/** Whether a trace gets a manifest: it will be sent again, and it is large enough. */
export const hasManifest = ({ status, spans, decisionPoints, events }: ParsedTrace) =>
  status === "RUNNING" && spans.length + decisionPoints.length + events.length >= MIN_CHILDREN;

export class TraceManifest {
  readonly #stored: Hashes | undefined;
  readonly #sent: Hashes;

  /** `stored` is the encoded manifest of the last time the trace was sent, if there is one. */
  constructor(trace: ParsedTrace, stored: Buffer | null) {
    this.#stored = stored ? decode(stored) : undefined;
    this.#sent = {
      spans: trace.spans.map((span) => hashOf(bytesOf(span))),
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

  /** Whether the child at this position has to be written. */
  readonly isChanged = (kind: ChildKind, position: number): boolean =>
    this.#sent[kind][position] !== this.#stored?.[kind][position];

  /** The positions whose child has to be written. */
  changedPositions(kind: ChildKind): number[] {
    return [...this.#sent[kind].keys()].filter((position) => this.isChanged(kind, position));
  }

  /** The positions whose stored row has to be deleted. */
  outdatedPositions(kind: ChildKind): number[] {
    return [...(this.#stored?.[kind] ?? []).keys()].filter((position) => this.isChanged(kind, position));
  }

  /** What is stored for the next time. */
  encode(): Buffer {
    const hashes = KINDS.flatMap((kind) => {
      const count = Buffer.alloc(4);
      count.writeUInt32BE(this.#sent[kind].length);
      return [count, Buffer.from(this.#sent[kind].join(""), "latin1")];
    });
    return Buffer.concat([...hashes, Buffer.from([VERSION])]);
  }
}

/** A child's JSON: as it was sent or, if the caller has a value instead, its JSON. */
const bytesOf = (child: ParsedSpan | ParsedDecisionPoint | ParsedEvent): Uint8Array =>
  child.source?.bytes ?? Buffer.from(JSON.stringify(child));

const hashOf = (bytes: Uint8Array) => hash("sha1", bytes, "binary").slice(0, HASH_BYTES);

/** Undefined if another version of the service encoded it. */
function decode(bytes: Buffer): Hashes | undefined {
  if (bytes.length % HASH_BYTES !== 5 || bytes.at(-1) !== VERSION) return undefined;
  const hashes: Hashes = { spans: [], decisionPoints: [], events: [] };
  let offset = 0;
  for (const kind of KINDS) {
    const count = bytes.readUInt32BE(offset);
    offset += 4;
    for (let position = 0; position < count; position += 1, offset += HASH_BYTES)
      hashes[kind].push(bytes.toString("latin1", offset, offset + HASH_BYTES));
  }
  return hashes;
}
