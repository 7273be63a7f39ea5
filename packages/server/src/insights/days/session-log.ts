import { grown, RowCounts } from "./row-counts.ts";

/**
 * Sessions are held open until their runs are counted, within 5 MiB. On a day with more runs, a session whose runs are far apart
 * counts as several sessions.
 */
const MAX_ENTRIES = 1 << 18;
const MAX_RUNS = 1 << 16;
const INITIAL_ENTRIES = 256;
/** Entries between two pauses in which other work can run. */
const ENTRIES_PER_STEP = 1_000;

/**
 * What runs of sessions decided, one run after another, until the sessions are added up. To append and sort runs takes a fraction
 * of the time of looking up each row of each session.
 */
export class SessionLog {
  #rows = new Uint32Array(INITIAL_ENTRIES);
  #decisions = new Uint32Array(INITIAL_ENTRIES);
  #failed = new Uint32Array(INITIAL_ENTRIES);
  #unknown = new Uint32Array(INITIAL_ENTRIES);
  #size = 0;
  /** By run: its session, and where its entries end. */
  #sessions = new Uint32Array(INITIAL_ENTRIES);
  #ends = new Uint32Array(INITIAL_ENTRIES);
  #runs = 0;

  copy(): SessionLog {
    const copy = new SessionLog();
    copy.#rows = this.#rows.slice();
    copy.#decisions = this.#decisions.slice();
    copy.#failed = this.#failed.slice();
    copy.#unknown = this.#unknown.slice();
    copy.#size = this.#size;
    copy.#sessions = this.#sessions.slice();
    copy.#ends = this.#ends.slice();
    copy.#runs = this.#runs;
    return copy;
  }

  get byteLength(): number {
    return 4 * this.#rows.byteLength + 2 * this.#sessions.byteLength;
  }

  get isFull(): boolean {
    return this.#size >= MAX_ENTRIES || this.#runs >= MAX_RUNS;
  }

  add(session: number, counts: RowCounts) {
    while (this.#size + counts.size > this.#rows.length) {
      this.#rows = grown(this.#rows);
      this.#decisions = grown(this.#decisions);
      this.#failed = grown(this.#failed);
      this.#unknown = grown(this.#unknown);
    }
    for (let index = 0; index < counts.size; index += 1) {
      this.#rows[this.#size] = counts.row(index);
      this.#decisions[this.#size] = counts.decisions(index);
      this.#failed[this.#size] = counts.failed(index);
      this.#unknown[this.#size] = counts.unknown(index);
      this.#size += 1;
    }
    if (this.#runs === this.#sessions.length) {
      this.#sessions = grown(this.#sessions);
      this.#ends = grown(this.#ends);
    }
    this.#sessions[this.#runs] = session;
    this.#ends[this.#runs] = this.#size;
    this.#runs += 1;
  }

  /** Calls `onSession` with the counts of each session. Other work can run between steps. */
  *endSessions(onSession: (counts: RowCounts) => void): Generator<undefined, void> {
    const sorted = this.#sortRuns();
    const counts = new RowCounts();
    for (let next = 0; next < sorted.length; ) {
      yield;
      next = this.#endSome(sorted, next, counts, onSession);
    }
    this.#size = 0;
    this.#runs = 0;
  }

  /** By session, then by run: both together are one number, which sorts without a function. */
  #sortRuns(): Float64Array {
    const keys = new Float64Array(this.#runs);
    for (let run = 0; run < keys.length; run += 1) keys[run] = (this.#sessions[run] ?? 0) * MAX_RUNS + run;
    return keys.sort();
  }

  /** Adds up sessions from a sorted run on, for one step, and returns the next run. The same loop in a generator takes longer. */
  #endSome(
    sorted: Float64Array,
    first: number,
    counts: RowCounts,
    onSession: (counts: RowCounts) => void,
  ): number {
    let left = ENTRIES_PER_STEP;
    let next = first;
    while (next < sorted.length && left > 0) {
      const session = Math.floor((sorted[next] ?? 0) / MAX_RUNS);
      const nextSession = (session + 1) * MAX_RUNS;
      for (let key = sorted[next]; key !== undefined && key < nextSession; key = sorted[next]) {
        left -= this.#addRun(key % MAX_RUNS, counts);
        next += 1;
      }
      onSession(counts);
      counts.clear();
    }
    return next;
  }

  /** Returns how many entries there were. */
  #addRun(run: number, counts: RowCounts): number {
    const end = this.#ends[run] ?? 0;
    const start = run === 0 ? 0 : (this.#ends[run - 1] ?? 0);
    for (let entry = start; entry < end; entry += 1)
      counts.add(
        this.#rows[entry] ?? 0,
        this.#decisions[entry] ?? 0,
        this.#failed[entry] ?? 0,
        0,
        this.#unknown[entry] ?? 0,
      );
    return end - start;
  }
}
