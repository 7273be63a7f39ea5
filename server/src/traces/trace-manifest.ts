import { hash } from "node:crypto";
import type { ParsedTrace } from "@whytrace/contract";
import type { ChildKind, RowFilter } from "./encode-traces.ts";

/*
 * A running trace is sent again and again, each time with everything that happened so far. Deleting and writing
 * hundreds of rows because one was added would cost more than the first send did. So a hash of each child's row, as
 * COPY would take it, is kept beside the trace, in the order sent; when the trace comes again, only rows whose hash is
 * not the kept one are written, and only places whose hash has changed are deleted first.
 *
 * The row says everything that is stored of a child: its place, its parent as it was resolved, and, in what is searched
 * of a decision point, the trace's name. So equal hashes mean an equal row, whatever made it so. A child that moved has
 * another place and with it another hash, on both its places: no id can be met twice.
 *
 * Kept as bytes: for each kind the number of its children in four bytes, then eight bytes each.
 */

const KINDS = ["spans", "decisionPoints", "events"] as const satisfies ChildKind[];
const HASH_BYTES = 8;
/** Rewriting fewer children costs less than keeping book of them. */
const WORTH_CHILDREN = 4;

type Hashes = Record<ChildKind, Buffer[]>;

/** Whether a trace is one that will come again, and large enough to mind. */
export const isKeptBookOf = ({ status, spans, decisionPoints, events }: ParsedTrace) =>
  status === "RUNNING" && spans.length + decisionPoints.length + events.length >= WORTH_CHILDREN;

export class TraceManifest {
  readonly #kept: Hashes | undefined;
  readonly #sent: Hashes = { spans: [], decisionPoints: [], events: [] };

  /** With what was kept when the trace was last sent, if anything. */
  constructor(kept: Buffer | null) {
    this.#kept = kept ? read(kept) : undefined;
  }

  /** Whether the rows that are there can be told from those that are not: else all of them go. */
  get isKnown(): boolean {
    return this.#kept !== undefined;
  }

  /** Takes note of every row and wants those that are not stored as they are. */
  readonly isWanted: RowFilter = (kind, position, row) => {
    const digest = hash("sha1", row, "buffer").subarray(0, HASH_BYTES);
    this.#sent[kind][position] = digest;
    return !this.#kept?.[kind][position]?.equals(digest);
  };

  /** Places whose row is to be copied, after all rows were noted. */
  written(kind: ChildKind): number[] {
    const kept = this.#kept?.[kind];
    return this.#sent[kind].flatMap((digest, position) =>
      kept?.[position]?.equals(digest) ? [] : [position],
    );
  }

  /** Places whose stored row must go, after all rows were noted. */
  outdated(kind: ChildKind): number[] {
    const sent = this.#sent[kind];
    return (this.#kept?.[kind] ?? []).flatMap((digest, position) =>
      sent[position]?.equals(digest) ? [] : [position],
    );
  }

  /** What to keep for the next time. */
  bytes(): Buffer {
    return Buffer.concat(
      KINDS.flatMap((kind) => {
        const count = Buffer.alloc(4);
        count.writeUInt32BE(this.#sent[kind].length);
        return [count, ...this.#sent[kind]];
      }),
    );
  }
}

function read(bytes: Buffer): Hashes {
  const hashes: Hashes = { spans: [], decisionPoints: [], events: [] };
  let at = 0;
  for (const kind of KINDS) {
    const count = bytes.readUInt32BE(at);
    at += 4;
    for (let position = 0; position < count; position += 1) {
      hashes[kind].push(bytes.subarray(at, at + HASH_BYTES));
      at += HASH_BYTES;
    }
  }
  return hashes;
}
