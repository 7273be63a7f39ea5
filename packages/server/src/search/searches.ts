import type { SearchLine } from "@whytrace/contract";
import type { FairDatabase } from "../db/fair-database.ts";
import type { Metrics } from "../http/metrics.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { SearchThread } from "./search-thread.ts";
import { searchTraces } from "./search-traces.ts";
import type { SearchOptions } from "./trace-scan.ts";

/** The searches of this process: they share a thread, and each workspace has one at a time. */
export class Searches {
  readonly #reads: FairDatabase;
  readonly #budget: ReadBudget;
  readonly #thread = new SearchThread();
  readonly #running = new Map<string, AbortController>();
  readonly #countBytes: (bytes: number) => void;

  constructor({ reads, budget, metrics }: { reads: FairDatabase; budget: ReadBudget; metrics: Metrics }) {
    this.#reads = reads;
    this.#budget = budget;
    metrics.queue("search", this.#thread.pool);
    metrics.gauge("searches", "Searches that are running", () => this.#running.size);
    const bytes = metrics.counter("searched_bytes_total", "Bytes that searches have read, uncompressed");
    this.#countBytes = (searched) => bytes.inc(searched);
  }

  /** Yields the lines of a search. A new search of the workspace ends it, and so does the signal: then it ends with a cursor. */
  async *run(options: Omit<SearchOptions, "signal">, signal: AbortSignal): AsyncGenerator<SearchLine[]> {
    const { workspaceId } = options;
    const search = new AbortController();
    const end = () => search.abort();
    this.#running.get(workspaceId)?.abort();
    this.#running.set(workspaceId, search);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    const hold = this.#budget.memory.open(workspaceId);
    const resources = {
      reads: this.#reads,
      thread: this.#thread,
      hold,
      isShared: () => this.#reads.isShared(workspaceId),
    };
    let bytes = 0;
    try {
      for await (const lines of searchTraces(resources, { ...options, signal: search.signal })) {
        for (const line of lines) {
          if (line.kind === "hit") continue;
          this.#countBytes(line.bytes - bytes);
          bytes = line.bytes;
        }
        yield lines;
      }
    } finally {
      hold.close();
      signal.removeEventListener("abort", end);
      if (this.#running.get(workspaceId) === search) this.#running.delete(workspaceId);
    }
  }

  /** Ends the searches that are running. */
  endAll() {
    for (const search of this.#running.values()) search.abort();
  }

  stop() {
    return this.#thread.stop();
  }
}
