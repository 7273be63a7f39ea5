import { setTimeout as sleep } from "node:timers/promises";
import type { SearchHit } from "@whytrace/contract";
import { sql } from "kysely";
import type pg from "pg";
import type { ByteHold } from "../concurrency/byte-budget.ts";
import type { CopiedResults } from "../db/copy/copy-to-buffer.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { type TraceFilter, traceConditions } from "../traces/trace-filter.ts";
import type { SearchSlice } from "./read-chunk.ts";
import { readChunk } from "./read-chunk.ts";
import type { FoundTrace } from "./search-chunk.ts";
import { type SearchCursor, START } from "./search-cursor.ts";
import type { SearchThread } from "./search-thread.ts";
import { TraceSlices } from "./trace-slices.ts";

export interface SearchOptions {
  workspaceId: WorkspaceId;
  query: string;
  filter: TraceFilter;
  /** Only this trace, and all its hits. */
  traceId?: string | undefined;
  cursor?: SearchCursor | undefined;
  /** No more hits than this. */
  limit: number;
  signal: AbortSignal;
}

export interface SearchResources {
  reads: FairDatabase;
  thread: SearchThread;
  hold: ByteHold;
  /** Whether others use the server too. */
  isShared: () => boolean;
}

const MAX_HITS_PER_TRACE = 3;
/** The first chunk is small, so that hits in the newest traces come at once. */
const FIRST_CHUNK_TRACES = 4;
const MAX_CHUNK_TRACES = 500;
/** Uncompressed. It is searched in a few time slices of the thread. */
const CHUNK_BYTES = 16 * 1024 * 1024;
/** The same while others use the server: their requests wait for a chunk at most. */
const SHARED_CHUNK_BYTES = 2 * 1024 * 1024;
/** How much is read at once, as it is stored. A trace that is larger is searched in slices. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
const MAX_GROWTH = 4;
/** Ids are read ahead, because a filter may be expensive. */
const ID_CHUNKS = 4;
/** The pause after each time slice and each read while others use the server, relative to the time it took. */
const PAUSE_RATIO = 6;
const MAX_MEMORY_WAIT_MS = 120_000;
const CONTINUED = { isContinued: true };

interface ReadChunk {
  traces: SearchCursor[];
  copied: CopiedResults;
  slice?: SearchSlice | undefined;
}

/** A trace that is searched in slices, and what was found in those before. */
interface SlicedTrace {
  trace: SearchCursor;
  slices: TraceSlices;
  found?: FoundTrace;
}

/**
 * Searches traces chunk by chunk, the newest first. While one chunk is searched, the next one is read, unless others use the
 * server: then chunks are small, and each read and each time slice is followed by a pause.
 */
export class TraceScan {
  traces = 0;
  /** Uncompressed. */
  bytes = 0;
  /** The trace that was searched last. */
  last: SearchCursor | undefined;
  readonly #resources: SearchResources;
  readonly #options: SearchOptions;
  #remainingHits: number;
  #chunkTraces = FIRST_CHUNK_TRACES;
  /** Traces that were found in the list and not read yet, and the last one that was found. */
  #next: SearchCursor[] = [];
  #found: SearchCursor;
  #hasMore = true;
  #reading: Promise<ReadChunk | "end of slices" | undefined> | undefined;
  #hasUnsearched = false;
  #sliced: SlicedTrace | undefined;
  /** Memory of chunks that were searched, for the next ones. */
  readonly #memory: ArrayBuffer[] = [];
  #heldBytes = 0;

  constructor(resources: SearchResources, options: SearchOptions) {
    this.#resources = resources;
    this.#options = options;
    this.#remainingHits = options.limit;
    this.#found = options.cursor ?? START;
  }

  /** Whether all traces were searched. */
  get isComplete() {
    return (
      !this.#hasMore && this.#next.length === 0 && !this.#reading && !this.#hasUnsearched && !this.#sliced
    );
  }

  /** Whether there is nothing left to do. */
  get isDone() {
    return this.isComplete || this.#remainingHits <= 0 || this.#options.signal.aborted;
  }

  /** Searches the next chunk. */
  async searchNext(): Promise<SearchHit[]> {
    const chunk = await (this.#reading ?? this.#readNext());
    this.#reading = undefined;
    if (!chunk) return [];
    if (chunk === "end of slices") return this.#endSliced();
    if ((this.#hasMore || this.#next.length > 0 || this.#sliced) && !this.#resources.isShared()) {
      this.#reading = this.#readNext();
      // Its error is thrown by the next call.
      this.#reading.catch(() => {});
    }
    return this.#search(chunk);
  }

  /** Resolves when the database is no longer used. */
  async close(): Promise<void> {
    await this.#reading?.catch(() => {});
  }

  /** Returns undefined if no trace is left, or if the chunk is too large; then the next one is smaller. */
  async #readNext(): Promise<ReadChunk | "end of slices" | undefined> {
    const { reads, hold } = this.#resources;
    const { workspaceId } = this.#options;
    await hold.waitForRoom(MAX_MEMORY_WAIT_MS);
    if (this.#sliced) return this.#readSlice(this.#sliced);
    if (this.#next.length === 0) await reads.run(workspaceId, (db) => this.#findTraces(db), CONTINUED);
    const traces = this.#next.slice(0, this.#chunkTraces);
    if (traces.length === 0) return undefined;
    const copied = await this.#read((client, memory) =>
      readChunk(
        client,
        workspaceId,
        traces.map(({ id }) => id),
        { maxBytes: MAX_READ_BYTES, memory },
      ),
    );
    if (copied) {
      this.#next = this.#next.slice(traces.length);
      return { traces, copied };
    }
    const [trace] = traces;
    if (traces.length === 1 && trace) {
      this.#next = this.#next.slice(1);
      this.#sliced = { trace, slices: new TraceSlices(workspaceId, trace.id) };
    }
    this.#chunkTraces = Math.ceil(traces.length / MAX_GROWTH);
    return undefined;
  }

  async #readSlice({ trace, slices }: SlicedTrace): Promise<ReadChunk | "end of slices"> {
    const { workspaceId } = this.#options;
    let slice: SearchSlice | undefined;
    const copied = await this.#read(async (client, memory) => {
      slice = await slices.next(client);
      // A slice is small, unless it is a single record.
      return (
        slice &&
        readChunk(client, workspaceId, [trace.id], { maxBytes: Number.MAX_SAFE_INTEGER, memory, slice })
      );
    });
    return copied ? { traces: [trace], copied, slice } : "end of slices";
  }

  /** Reads in a slot of the workspace, into memory that was used before. */
  async #read(
    read: (client: pg.PoolClient, memory: ArrayBuffer | undefined) => Promise<CopiedResults | undefined>,
  ): Promise<CopiedResults | undefined> {
    const memory = this.#memory.pop();
    this.#hold(-(memory?.byteLength ?? 0));
    let readMs = 0;
    const copied = await this.#resources.reads.run(
      this.#options.workspaceId,
      async (_db, client) => {
        const startedAt = performance.now();
        const results = await read(client, memory);
        readMs = performance.now() - startedAt;
        return results;
      },
      CONTINUED,
    );
    await this.#pause(readMs);
    if (copied) this.#hold(copied.bytes.length);
    return copied;
  }

  /** Takes the next traces from the list. */
  async #findTraces(db: Database) {
    const { workspaceId, filter, traceId } = this.#options;
    const { startedAt, id } = this.#found;
    const limit = this.#chunkTraces * ID_CHUNKS;
    const only = traceId === undefined ? sql`true` : sql`id = ${traceId}`;
    const { rows } = await sql<SearchCursor>`
      select id, started_at from traces
      where ${traceConditions(workspaceId, filter)} and (started_at, id) < (${startedAt}::timestamptz, ${id}) and ${only}
      order by started_at desc, id desc limit ${limit}`.execute(db);
    this.#next = rows;
    this.#found = rows.at(-1) ?? this.#found;
    this.#hasMore = rows.length === limit;
  }

  async #search({ traces, copied, slice }: ReadChunk): Promise<SearchHit[]> {
    const { workspaceId, query, signal } = this.#options;
    this.#hasUnsearched = true;
    let decompressedBytes = 0;
    const holdDecompressed = (bytes: number) => {
      this.#hold(bytes - decompressedBytes);
      decompressedBytes = bytes;
    };
    const result = await this.#resources.thread.search({
      workspaceId,
      query,
      signal,
      chunk: {
        ...copied,
        traceCount: traces.length,
        maxHits: this.#remainingHits,
        maxHitsPerTrace: this.#maxHitsPerTrace - (this.#sliced?.found?.hits.length ?? 0),
        isContinued: slice?.isContinued ?? false,
      },
      afterTimeSlice: async (sliceMs, bytes) => {
        holdDecompressed(bytes);
        await this.#pause(sliceMs);
      },
    });
    holdDecompressed(0);
    if (!result) return [];
    const { searched, memory } = result;
    this.#memory.push(memory);
    this.bytes += searched.bytes;
    if (slice) {
      this.#hasUnsearched = false;
      this.#addFound(searched.found[0]);
      return [];
    }
    this.traces += searched.traces;
    this.last = traces[searched.traces - 1] ?? this.last;
    this.#hasUnsearched = searched.traces < traces.length;
    const maxBytes = this.#resources.isShared() ? SHARED_CHUNK_BYTES : CHUNK_BYTES;
    this.#chunkTraces = nextChunkTraces(this.#chunkTraces, searched, maxBytes);
    const hits = searched.found.flatMap((found) => toHits(traces[found.ordinal] ?? START, found));
    this.#remainingHits -= hits.length;
    return hits;
  }

  get #maxHitsPerTrace() {
    return this.#options.traceId === undefined
      ? Math.min(MAX_HITS_PER_TRACE, this.#remainingHits)
      : this.#remainingHits;
  }

  #addFound(found: FoundTrace | undefined) {
    if (!this.#sliced || !found) return;
    const { hits = [], hitCount = 0 } = this.#sliced.found ?? {};
    this.#sliced.found = { ...found, hits: [...hits, ...found.hits], hitCount: hitCount + found.hitCount };
  }

  /** The hits of a trace that was searched in slices. */
  #endSliced(): SearchHit[] {
    const { trace, found } = this.#sliced ?? {};
    this.#sliced = undefined;
    if (!trace) return [];
    this.traces += 1;
    this.last = trace;
    const hits = found ? toHits(trace, found) : [];
    this.#remainingHits -= hits.length;
    return hits;
  }

  #hold(bytes: number) {
    this.#heldBytes += bytes;
    this.#resources.hold.resize(this.#heldBytes);
  }

  async #pause(workMs: number) {
    const { signal } = this.#options;
    if (!this.#resources.isShared() || signal.aborted) return;
    await sleep(workMs * PAUSE_RATIO, undefined, { signal }).catch(() => {});
  }
}

function nextChunkTraces(
  current: number,
  { traces, bytes }: { traces: number; bytes: number },
  maxBytes: number,
): number {
  const fitting = Math.floor((maxBytes * traces) / bytes);
  return Math.max(1, Math.min(fitting, current * MAX_GROWTH, MAX_CHUNK_TRACES));
}

function toHits({ id, startedAt }: SearchCursor, { name, status, hits, hitCount }: FoundTrace): SearchHit[] {
  const more = hitCount - hits.length;
  return hits.map((hit, index) => ({
    kind: "hit",
    traceId: id,
    traceName: name,
    traceStartedAt: startedAt,
    status,
    ...hit,
    ...(more > 0 && index === hits.length - 1 && { moreInTrace: more }),
  }));
}
