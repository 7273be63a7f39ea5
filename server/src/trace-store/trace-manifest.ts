import { hash } from "node:crypto";
import type {
  ChildKind,
  ParsedDecisionPoint,
  ParsedEvent,
  ParsedSpan,
  ParsedTrace,
} from "@whytrace/contract";

/*
 * A running trace is sent again and again, each time with everything that happened so far. Deleting and writing
 * hundreds of rows because one was added would cost more than the first send did. So a hash of each child, of the bytes
 * it was sent in, is kept beside the trace, in the order sent; when the trace comes again, only children whose hash is
 * not the kept one become rows, and only places whose hash has changed are deleted first.
 *
 * A child's row is made of its bytes and its place. A decision point's also says whether its parent is a span of the
 * trace and, in what is searched of it, the trace's name: both are hashed with it. So equal hashes mean an equal row. A
 * child that moved has another hash on both its places: no id can be met twice.
 *
 * Kept as bytes: for each kind the number of its children in four bytes and eight bytes each, and behind them a byte that
 * says how rows and hashes are made. The hashes are no secret and guard against chance alone: whoever finds two children
 * with one hash keeps the first of them, in a trace of their own.
 */

/** Goes up when the same child becomes another row or hash than before, so that rows from before are written anew. */
const ROWS_AS_OF = 1;
const KINDS = ["spans", "decisionPoints", "events"] as const satisfies ChildKind[];
const HASH_BYTES = 8;
/** Rewriting fewer children costs less than keeping book of them. */
const WORTH_CHILDREN = 4;

/** Each eight bytes, as a string of eight characters. */
type Hashes = Record<ChildKind, string[]>;

/** Whether a trace is one that will come again, and large enough to mind. */
export const isKeptBookOf = ({ status, spans, decisionPoints, events }: ParsedTrace) =>
  status === "RUNNING" && spans.length + decisionPoints.length + events.length >= WORTH_CHILDREN;

export class TraceManifest {
  readonly #kept: Hashes | undefined;
  readonly #sent: Hashes;

  /** With what was kept when the trace was last sent, if anything. */
  constructor(trace: ParsedTrace, kept: Buffer | null) {
    this.#kept = kept ? read(kept) : undefined;
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

  /** Whether the rows that are there can be told from those that are not: else all of them go. */
  get isKnown(): boolean {
    return this.#kept !== undefined;
  }

  /** Whether the row of a place has to be copied. */
  readonly isWanted = (kind: ChildKind, position: number): boolean =>
    this.#sent[kind][position] !== this.#kept?.[kind][position];

  /** Places whose row is to be copied. */
  written(kind: ChildKind): number[] {
    return [...this.#sent[kind].keys()].filter((position) => this.isWanted(kind, position));
  }

  /** Places whose stored row must go. */
  outdated(kind: ChildKind): number[] {
    return [...(this.#kept?.[kind] ?? []).keys()].filter((position) => this.isWanted(kind, position));
  }

  /** What to keep for the next time. */
  bytes(): Buffer {
    const hashes = KINDS.flatMap((kind) => {
      const count = Buffer.alloc(4);
      count.writeUInt32BE(this.#sent[kind].length);
      return [count, Buffer.from(this.#sent[kind].join(""), "latin1")];
    });
    return Buffer.concat([...hashes, Buffer.from([ROWS_AS_OF])]);
  }
}

/** As they were sent or, from a caller with values in hand, printed. */
const bytesOf = (child: ParsedSpan | ParsedDecisionPoint | ParsedEvent): Uint8Array =>
  child.source?.bytes ?? Buffer.from(JSON.stringify(child));

const hashOf = (bytes: Uint8Array) => hash("sha1", bytes, "binary").slice(0, HASH_BYTES);

/** Undefined where they were made otherwise; without the byte at the end, by the version before. */
function read(bytes: Buffer): Hashes | undefined {
  if (bytes.length % HASH_BYTES !== 5 || bytes.at(-1) !== ROWS_AS_OF) return undefined;
  const hashes: Hashes = { spans: [], decisionPoints: [], events: [] };
  let at = 0;
  for (const kind of KINDS) {
    const count = bytes.readUInt32BE(at);
    at += 4;
    for (let position = 0; position < count; position += 1, at += HASH_BYTES)
      hashes[kind].push(bytes.toString("latin1", at, at + HASH_BYTES));
  }
  return hashes;
}
