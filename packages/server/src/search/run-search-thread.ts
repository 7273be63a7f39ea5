import { setPriority } from "node:os";
import { type MessagePort, parentPort } from "node:worker_threads";
import { ChunkSearch, type SearchedChunk, type TraceChunk } from "./search-chunk.ts";
import { compileSearchPattern, type SearchPattern } from "./search-pattern.ts";
import type { ThreadReport, ThreadRequest } from "./search-thread.ts";

/** On a machine without a free core, what answers requests runs first. */
const LOW_PRIORITY = 10;
/** Searches of other workspaces wait as long. */
const TIME_SLICE_MS = 25;
const MAX_PATTERNS = 20;

interface RunningSearch {
  memory: ArrayBuffer;
  chunk: ChunkSearch;
  steps: Generator<undefined, SearchedChunk>;
}

/** The work of the thread that SearchThread starts. */
class SearchThreadWork {
  readonly #port: MessagePort;
  readonly #searches = new Map<number, RunningSearch>();
  readonly #patterns = new Map<string, SearchPattern>();

  constructor(port: MessagePort) {
    this.#port = port;
  }

  handle(request: ThreadRequest) {
    if (request.kind === "drop") return void this.#searches.delete(request.search);
    const search =
      request.kind === "start"
        ? this.#start(request.query, request.chunk)
        : this.#searches.get(request.search);
    if (!search) throw new Error("Unknown search");
    const searched = runFor(TIME_SLICE_MS, search.steps);
    if (searched) this.#searches.delete(request.search);
    else this.#searches.set(request.search, search);
    const { memory, chunk } = search;
    const report: ThreadReport = {
      heldBytes: chunk.heldBytes,
      ...(searched && { result: { searched, memory } }),
    };
    this.#port.postMessage(report, searched ? [memory] : []);
  }

  #start(query: string, { bytes, ...others }: TraceChunk): RunningSearch {
    // A buffer arrives as a plain array of bytes.
    const moved = { ...others, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) };
    const chunk = new ChunkSearch(moved, this.#patternOf(query));
    return { memory: bytes.buffer, chunk, steps: chunk.steps() };
  }

  #patternOf(query: string): SearchPattern {
    const pattern = this.#patterns.get(query) ?? compileSearchPattern(query);
    this.#patterns.delete(query);
    this.#patterns.set(query, pattern);
    const [oldest = query] = this.#patterns.keys();
    if (this.#patterns.size > MAX_PATTERNS) this.#patterns.delete(oldest);
    return pattern;
  }
}

/** Returns the result, or undefined if the steps take longer. */
function runFor<T>(milliseconds: number, steps: Generator<undefined, T>): T | undefined {
  const deadline = performance.now() + milliseconds;
  do {
    const { done, value } = steps.next();
    if (done) return value;
  } while (performance.now() < deadline);
  return undefined;
}

// Only on Linux does a thread have a priority of its own.
if (process.platform === "linux") setPriority(LOW_PRIORITY);
if (parentPort) {
  const work = new SearchThreadWork(parentPort);
  parentPort.on("message", (request: ThreadRequest) => work.handle(request));
}
