import type pg from "pg";
import { type CopiedRow, copyOut } from "../../db/copy/copy-out.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { decodeDirectory, type PackedChild } from "../../payloads/payload-directory.ts";
import { directoriesQuery, readPart, TracePayloads } from "../../payloads/trace-payloads.ts";

/** As much as a request may bring of one trace. */
const MAX_BYTES = 10 * 1024 * 1024;
/** What is decompressed for that, one part at a time. */
const MAX_CONTENT_BYTES = 4 * MAX_BYTES;

export interface SpanPayloads {
  /** By position, in the order of `PACKED_FIELDS`. */
  read: Map<number, (Buffer | null)[]>;
  /** Which payloads the other spans have, by position: reading them would take too much memory. */
  unread: Map<number, PackedChild["lengths"]>;
}

/** Reads the packed payloads of these spans, and only the parts that hold them. */
export async function readSpanPayloads(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  traceId: string,
  positions: readonly number[],
): Promise<SpanPayloads> {
  const read: SpanPayloads["read"] = new Map();
  const unread: SpanPayloads["unread"] = new Map();
  if (positions.length === 0) return { read, unread };
  const wanted = new Set(positions);
  const found = new Map<number, { row: CopiedRow; contentLength: number; lengths: PackedChild["lengths"] }>();
  // In ascending order: of a span that is in several parts, the last one counts.
  for (const row of await copyOut(client, directoriesQuery(workspaceId, traceId))) {
    const { contentLength, children } = decodeDirectory(row[1] ?? Buffer.alloc(0));
    for (const { kind, position, lengths } of children)
      if (kind === "spans" && wanted.has(position)) found.set(position, { row, contentLength, lengths });
  }
  let [bytes, contentBytes] = [0, 0];
  for (const [row, inPart] of Map.groupBy(found, ([, { row }]) => row)) {
    contentBytes += inPart[0]?.[1].contentLength ?? 0;
    const part =
      contentBytes <= MAX_CONTENT_BYTES
        ? new TracePayloads(await readPart(client, workspaceId, traceId, row))
        : undefined;
    for (const [position, { lengths }] of inPart) {
      bytes += lengths.reduce((sum: number, length) => sum + (length ?? 0), 0);
      // Copied, because a part of the content would keep all of it in memory.
      if (part && bytes <= MAX_BYTES)
        read.set(
          position,
          (await part.read("spans", position)).map((payload) => payload && Buffer.from(payload)),
        );
      else unread.set(position, lengths);
    }
  }
  return { read, unread };
}
