import type { SearchHit, SearchLine, Status } from "@whytrace/contract";
import { queryString } from "../../client/api.ts";
import { readSearch } from "../../client/read-search.ts";

export interface TraceHits {
  traceId: string;
  name: string;
  status: Status;
  startedAt: string;
  hits: SearchHit[];
  /** Hits in this trace that the response leaves out. */
  moreCount: number;
}

export interface SearchState {
  /** `paused`: the user has left the page. */
  status: "searching" | "paused" | "stopped" | "ended" | "failed";
  traces: TraceHits[];
  hitCount: number;
  searchedTraces: number;
  /** Null until the server has counted them. */
  totalTraces: number | null;
  searchedBytes: number;
  /** Where the search goes on; undefined at the start, null if everything was searched. */
  cursor: string | null | undefined;
  error: Error | null;
}

const START: SearchState = {
  status: "paused",
  traces: [],
  hitCount: 0,
  searchedTraces: 0,
  totalTraces: null,
  searchedBytes: 0,
  cursor: undefined,
  error: null,
};

/**
 * One search with its results so far. The server ends a response after a number of hits, and the user may stop it;
 * `start` then continues.
 */
export class SearchRun {
  readonly #query: object;
  readonly #listeners = new Set<() => void>();
  #state = START;
  /** The state at the last cursor. Hits that arrived since then will arrive again. */
  #resumeFrom = START;
  #request: AbortController | undefined;

  constructor(query: object) {
    this.#query = query;
  }

  readonly getState = () => this.#state;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly start = () => {
    if (this.#state.status === "searching" || this.#state.cursor === null) return;
    const controller = new AbortController();
    this.#request = controller;
    this.#set({ ...this.#resumeFrom, status: "searching" });
    void this.#read(controller.signal);
  };

  /** Stops at the user's request; the hits stay. */
  readonly stop = () => {
    if (this.#state.status !== "searching") return;
    this.#request?.abort();
    this.#set({ ...this.#state, status: "stopped" });
  };

  /** Starts, or continues after `pause`. What has ended, failed or was stopped stays as it is. */
  readonly resume = () => {
    if (this.#state.status === "paused") this.start();
  };

  readonly pause = () => {
    if (this.#state.status !== "searching") return;
    this.#request?.abort();
    this.#set({ ...this.#state, status: "paused" });
  };

  async #read(signal: AbortSignal) {
    const before = this.#state;
    try {
      const query = queryString({ ...this.#query, cursor: before.cursor ?? undefined });
      for await (const lines of readSearch(query, signal)) {
        if (signal.aborted) return;
        this.#set(lines.reduce((state, line) => this.#apply(state, line, before), this.#state));
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#set({
        ...this.#state,
        status: "failed",
        error: error instanceof Error ? error : new Error(String(error)),
      });
    }
  }

  #apply(state: SearchState, line: SearchLine, before: SearchState): SearchState {
    if (line.kind === "hit")
      return { ...state, traces: addHit(state.traces, line), hitCount: state.hitCount + 1 };
    // The server counts from the start of each request.
    const counts = {
      searchedTraces: before.searchedTraces + line.traces,
      searchedBytes: before.searchedBytes + line.bytes,
    };
    const next: SearchState =
      line.kind === "end"
        ? { ...state, ...counts, cursor: line.cursor, status: "ended" }
        : { ...state, ...counts, cursor: line.cursor ?? state.cursor, totalTraces: line.totalTraces };
    if (next.cursor !== undefined) this.#resumeFrom = next;
    return next;
  }

  #set(state: SearchState) {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** The hits of one trace follow each other. */
function addHit(traces: TraceHits[], hit: SearchHit): TraceHits[] {
  const moreCount = hit.moreInTrace ?? 0;
  const last = traces.at(-1);
  if (last?.traceId === hit.traceId)
    return [
      ...traces.slice(0, -1),
      { ...last, hits: [...last.hits, hit], moreCount: last.moreCount + moreCount },
    ];
  const { traceId, traceName: name, status, traceStartedAt: startedAt } = hit;
  return [...traces, { traceId, name, status, startedAt, hits: [hit], moreCount }];
}
