import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { FairPool } from "../concurrency/fair-pool.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { SearchedChunk, TraceChunk } from "./search-chunk.ts";

/** What the thread is told: to search a chunk, whose memory moves to it; to go on with it; or to forget it. */
export type ThreadRequest =
  | { kind: "start"; search: number; query: string; chunk: TraceChunk }
  | { kind: "continue"; search: number }
  | { kind: "drop"; search: number };

/** After some milliseconds of work: the result and the chunk's memory, unless the chunk takes longer. */
export interface ThreadReport {
  result?: ThreadResult;
  /** Bytes that the search holds in the thread beside its chunk. */
  heldBytes: number;
}

interface ThreadResult {
  searched: SearchedChunk;
  memory: ArrayBuffer;
}

interface ChunkOptions {
  workspaceId: WorkspaceId;
  query: string;
  chunk: TraceChunk;
  signal: AbortSignal;
  /** Is called after each time slice, which took `sliceMs`. The next one begins when it is done. */
  afterTimeSlice(sliceMs: number, heldBytes: number): Promise<void>;
}

/** The same extension as this file: .ts from the sources, .js after the build. */
const EXTENSION = extname(import.meta.url);
const SCRIPT = new URL(`run-search-thread${EXTENSION}`, import.meta.url);
const CONDITIONS = EXTENSION === ".ts" ? ["--conditions=@whytrace/source"] : [];
const IDLE_MS = 30_000;
/** Its garbage is strings of 64 KiB that live for microseconds. */
const YOUNG_MIB = 6;

/**
 * Searches chunks in a thread of its own, so that requests do not wait for it. There is one thread, and workspaces get time slices of
 * some milliseconds, round robin. It starts with the first search and stops when there was none for 30 s.
 */
export class SearchThread {
  readonly pool = new FairPool({ maxRunning: 1, maxWaitingPerCaller: 10 });
  #worker: Worker | undefined;
  #pending: { worker: Worker; resolve(report: ThreadReport): void; reject(error: Error): void } | undefined;
  #idle: NodeJS.Timeout | undefined;
  #searches = 0;

  /** Returns undefined if the signal says so meanwhile. Takes the memory of the chunk and gives it back. */
  async search({
    workspaceId,
    query,
    chunk,
    signal,
    afterTimeSlice,
  }: ChunkOptions): Promise<ThreadResult | undefined> {
    this.#searches += 1;
    const search = this.#searches;
    let request: ThreadRequest = { kind: "start", search, query, chunk };
    while (!signal.aborted) {
      const { report, sliceMs } = await this.#runTimeSlice(workspaceId, request, signal);
      if (!report) break;
      await afterTimeSlice(sliceMs, report.heldBytes);
      if (report.result) return report.result;
      request = { kind: "continue", search };
    }
    this.#worker?.postMessage({ kind: "drop", search } satisfies ThreadRequest);
    return undefined;
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #runTimeSlice(workspaceId: WorkspaceId, request: ThreadRequest, signal: AbortSignal) {
    const runSlice = async () => {
      const startedAt = performance.now();
      const report = signal.aborted ? undefined : await this.#send(request);
      return { report, sliceMs: performance.now() - startedAt };
    };
    return this.pool.run(workspaceId, runSlice, { isContinued: true });
  }

  #send(request: ThreadRequest): Promise<ThreadReport> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    clearTimeout(this.#idle);
    return new Promise<ThreadReport>((resolve, reject) => {
      this.#pending = { worker, resolve, reject };
      worker.postMessage(request, request.kind === "start" ? [request.chunk.bytes.buffer] : []);
    }).finally(() => {
      this.#idle = setTimeout(() => {
        // A search that comes while it ends starts another one.
        this.#worker = undefined;
        void worker.terminate();
      }, IDLE_MS).unref();
    });
  }

  #start(): Worker {
    const worker = new Worker(SCRIPT, {
      execArgv: CONDITIONS,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    worker.unref();
    worker.on("message", (report: ThreadReport) => this.#pending?.resolve(report));
    worker.on("error", (error) => this.#fail(worker, error));
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#fail(worker, new Error("The search thread has ended"));
    });
    return worker;
  }

  #fail(worker: Worker, error: Error) {
    if (this.#pending?.worker === worker) this.#pending.reject(error);
  }
}
