import { BufferPool } from "../concurrency/buffer-pool.ts";
import { BinaryRows } from "../db/copy/binary-rows.ts";
import type { CopiedTable } from "../db/copy/copy-rows.ts";
import { PACKED_FIELDS, type PackedKind } from "./packed-fields.ts";
import { payloadBytes } from "./payload-bytes.ts";
import { DirectoryWriter } from "./payload-directory.ts";
import { compress, compressInline, isInline } from "./zstd.ts";

/** A part with more raw bytes holds a single child. Reading one payload decompresses one part. */
const MAX_PART_BYTES = 1024 * 1024;
const COLUMNS = ["workspace_id", "trace_id", "part", "directory", "bytes"];

const buffers = new BufferPool(16 * 1024 * 1024);

/** A part that is being compressed off the event loop. */
interface LargePart {
  workspace: Uint8Array;
  traceId: string;
  part: number;
  directory: Buffer;
  bytes: Promise<Buffer>;
}

/** What was packed of one trace. */
export interface PackedSize {
  parts: number;
  /** Bytes of payloads, before compression. */
  bytes: number;
}

/**
 * Packs the payloads of any number of traces into rows of `trace_payloads`. Small parts are compressed at once; large ones
 * off the event loop, while the caller goes on.
 */
export class PayloadPacker {
  readonly #rows: BinaryRows;
  readonly #large: LargePart[] = [];
  #content = buffers.acquire(64 * 1024);
  #length = 0;
  #directory = new DirectoryWriter();
  #workspace: Uint8Array = Buffer.alloc(0);
  #traceId = "";
  #part = 0;
  #firstPart = 0;
  #traceBytes = 0;

  constructor(expectedBytes: number) {
    this.#rows = new BinaryRows(expectedBytes);
  }

  /** The trace's parts are numbered from `firstPart` on. */
  beginTrace(workspace: Uint8Array, traceId: string, firstPart = 0) {
    this.#workspace = workspace;
    this.#traceId = traceId;
    this.#part = firstPart;
    this.#firstPart = firstPart;
    this.#traceBytes = 0;
  }

  /** Adds a child's payloads: all spans before all events, in the order of their positions. */
  add(kind: PackedKind, position: number, record: Readonly<Record<string, unknown>>) {
    this.addBytes(
      kind,
      position,
      PACKED_FIELDS[kind].map((field) => payloadBytes(record[field])),
    );
  }

  /** Like `add`, with the payloads in the order of `PACKED_FIELDS`. */
  addBytes(kind: PackedKind, position: number, payloads: (Uint8Array | null)[]) {
    const bytes = payloads.reduce((sum, payload) => sum + (payload?.length ?? 0), 0);
    if (this.#length > 0 && this.#length + bytes > MAX_PART_BYTES) this.#endPart();
    this.#reserve(bytes);
    this.#directory.addChild(kind, position);
    for (const payload of payloads) {
      this.#directory.addLength(kind, payload?.length ?? null);
      if (payload) this.#content.set(payload, this.#length);
      this.#length += payload?.length ?? 0;
    }
    this.#traceBytes += bytes;
  }

  endTrace(): PackedSize {
    // Without older parts, no entry means the same as entries without payloads.
    if (this.#length > 0 || (this.#firstPart > 0 && !this.#directory.isEmpty)) this.#endPart();
    else this.#directory = new DirectoryWriter();
    return { parts: this.#part, bytes: this.#traceBytes };
  }

  /** Call it once, after the last trace. */
  async finish(): Promise<CopiedTable> {
    buffers.release(this.#content);
    for (const { workspace, traceId, part, directory, bytes } of this.#large)
      this.#addRow(workspace, traceId, part, directory, await bytes);
    return {
      statement: `copy trace_payloads (${COLUMNS.join(", ")}) from stdin (format binary)`,
      rows: this.#rows,
    };
  }

  #endPart() {
    const directory = this.#directory.encode(this.#length);
    const [workspace, traceId, part, length] = [this.#workspace, this.#traceId, this.#part, this.#length];
    if (isInline(length))
      this.#addRow(workspace, traceId, part, directory, compressInline(this.#content.subarray(0, length)));
    else {
      const bytes = compressLarge(this.#content, length);
      // `finish` throws the error, if it is called.
      bytes.catch(() => {});
      this.#large.push({ workspace, traceId, part, directory, bytes });
      this.#content = buffers.acquire(64 * 1024);
    }
    this.#part += 1;
    this.#length = 0;
    this.#directory = new DirectoryWriter();
  }

  #addRow(workspace: Uint8Array, traceId: string, part: number, directory: Buffer, bytes: Buffer) {
    const rows = this.#rows;
    rows.beginRow(COLUMNS.length);
    rows.bytes(workspace);
    rows.text(traceId);
    rows.integer(part);
    rows.bytes(directory);
    rows.bytes(bytes);
  }

  #reserve(bytes: number) {
    if (this.#length + bytes <= this.#content.length) return;
    const larger = buffers.acquire(Math.max(this.#content.length * 2, this.#length + bytes));
    this.#content.copy(larger, 0, 0, this.#length);
    buffers.release(this.#content);
    this.#content = larger;
  }
}

async function compressLarge(content: Buffer, length: number): Promise<Buffer> {
  try {
    return await compress(content.subarray(0, length));
  } finally {
    buffers.release(content);
  }
}
