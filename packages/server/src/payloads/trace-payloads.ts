import type { ChildKind } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type pg from "pg";
import { type CopiedRow, copyOut, PIECE_BYTES } from "../db/copy/copy-out.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { PackedKind } from "./packed-fields.ts";
import { decodeDirectory, type PackedChild, visitDirectory } from "./payload-directory.ts";
import { payloadsOf } from "./unpack-parts.ts";
import { decompress } from "./zstd.ts";

const piecesQuery = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select part, case when start = 1 then directory end, substring(bytes from start for ${PIECE_BYTES})
  from trace_payloads, generate_series(1, length(bytes), ${PIECE_BYTES}) as start
  where ${condition} order by part, start`;

/** Rows of part number, directory and a piece of the compressed bytes; only the first piece of a part has its directory. */
export const partsQuery = (workspaceId: WorkspaceId, traceId: string): RawBuilder<unknown> =>
  piecesQuery(sql`workspace_id = ${workspaceId} and trace_id = ${traceId}`);

/** The same rows of some parts. */
export const somePartsQuery = (
  workspaceId: WorkspaceId,
  traceId: string,
  parts: number[],
): RawBuilder<unknown> =>
  piecesQuery(sql`workspace_id = ${workspaceId} and trace_id = ${traceId} and part in (${sql.join(parts)})`);

export interface OpenPartsOf {
  traceId: string;
  firstPart: number;
}

/** The same rows of several traces, each preceded by the id of its trace. */
export const openPartsQuery = (workspaceId: WorkspaceId, traces: OpenPartsOf[]): RawBuilder<unknown> => sql`
  select trace_id, part, case when start = 1 then directory end, substring(bytes from start for ${PIECE_BYTES})
  from json_to_recordset(${JSON.stringify(traces)}::json) as wanted ("traceId" text, "firstPart" integer)
    join trace_payloads on workspace_id = ${workspaceId} and trace_id = wanted."traceId" and part >= wanted."firstPart",
    generate_series(1, length(bytes), ${PIECE_BYTES}) as start
  order by trace_id, part, start`;

/** One row for each part, with its bytes only if they are small and the trace has no other part. */
export const directoriesQuery = (workspaceId: WorkspaceId, traceId: string): RawBuilder<unknown> => sql`
  select part, directory, case when count(*) over () = 1 and length(bytes) <= ${PIECE_BYTES} then bytes end
  from trace_payloads where workspace_id = ${workspaceId} and trace_id = ${traceId} order by part`;

/** Returns the rows of one part, whose row of `directoriesQuery` is given. */
export const readPart = async (
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  traceId: string,
  row: CopiedRow,
) => (row[2] ? [row] : copyOut(client, somePartsQuery(workspaceId, traceId, [row[0]?.readInt32BE() ?? 0])));

/** Finds the row of the part that holds a child's payloads. */
export const findPart = (rows: CopiedRow[], kind: ChildKind, position: number): CopiedRow | undefined =>
  rows.findLast(([, directory]) => {
    let isFound = false;
    visitDirectory(directory ?? Buffer.alloc(0), (childKind, childPosition) => {
      isFound ||= childKind === kind && childPosition === position;
    });
    return isFound;
  });

class Part {
  /** How many children are still to be read. */
  unread = 0;
  readonly #contentLength: number;
  #pieces: Buffer[];
  #content: Buffer | undefined;

  constructor(contentLength: number, pieces: Buffer[]) {
    this.#contentLength = contentLength;
    this.#pieces = pieces;
  }

  get bytes(): number {
    return this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  async content(): Promise<Buffer> {
    const [first] = this.#pieces;
    this.#content ??= await decompress(
      first && this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces),
      this.#contentLength,
    );
    const content = this.#content;
    this.unread -= 1;
    if (this.unread === 0) {
      this.#content = undefined;
      this.#pieces = [];
    }
    return content;
  }
}

interface Location {
  part: Part;
  child: PackedChild;
}

/**
 * The packed payloads of one trace. A part is decompressed when the first of its children is read, and forgotten with the
 * last one; each child can be read once.
 */
export class TracePayloads {
  readonly #locations: Readonly<Record<PackedKind, Map<number, Location>>> = {
    spans: new Map(),
    events: new Map(),
  };
  readonly #parts: Part[];

  /** Takes the rows of `partsQuery`. */
  constructor(rows: CopiedRow[]) {
    const byPart = Map.groupBy(rows, ([part]) => part?.readInt32BE() ?? 0);
    // In ascending order: of a child that is in several parts, the last one counts.
    this.#parts = [...byPart.values()].map((pieces) => {
      const directory = decodeDirectory(pieces[0]?.[1] ?? Buffer.alloc(0));
      const part = new Part(
        directory.contentLength,
        pieces.flatMap(([, , piece]) => piece ?? []),
      );
      for (const child of directory.children)
        this.#locations[child.kind].set(child.position, { part, child });
      return part;
    });
    for (const locations of Object.values(this.#locations))
      for (const { part } of locations.values()) part.unread += 1;
  }

  get compressedBytes(): number {
    return this.#parts.reduce((sum, part) => sum + part.bytes, 0);
  }

  /** The positions of the children of one kind that have packed payloads. */
  positions(kind: PackedKind): number[] {
    return [...this.#locations[kind].keys()];
  }

  /** A child's payloads, in the order of `PACKED_FIELDS`; null for a field that is absent or null. */
  async read(kind: PackedKind, position: number): Promise<(Buffer | null)[]> {
    const location = this.#locations[kind].get(position);
    if (!location) return [];
    const { part, child } = location;
    return payloadsOf(await part.content(), child);
  }
}
