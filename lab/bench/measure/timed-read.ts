import { percentile } from "@whytrace/testing/percentile.ts";
import { postgresCpuMs, processCpuMs } from "./cpu-time.ts";

const WARM_UP = 3;

export interface ReadTimes {
  p50Ms: number;
  p99Ms: number;
  /** CPU per read of PostgreSQL and of the process that reads from it. */
  cpuMs: number;
  /** The size of the response. */
  bytes: number;
}

/** Measures one kind of read. */
export class TimedRead {
  readonly #timesMs: number[] = [];
  #cpuMs = 0;
  #bytes = 0;
  readonly #read: (request: number) => Promise<string>;
  readonly #pids: { reader: number; postmaster: number };

  constructor(read: (request: number) => Promise<string>, pids: { reader: number; postmaster: number }) {
    this.#read = read;
    this.#pids = pids;
  }

  /** Runs several reads in turn, so that a slowdown of the machine affects all of them. */
  static async interleave(reads: TimedRead[], requests: number): Promise<void> {
    for (let request = 0; request < requests + WARM_UP; request += 1)
      for (const read of reads) await read.#measure(request);
  }

  async #measure(request: number) {
    const { reader, postmaster } = this.#pids;
    const postgresBefore = postgresCpuMs(postmaster);
    // Last before and first after the read: looking for the processes of PostgreSQL takes CPU of this process.
    const readerBefore = processCpuMs(reader);
    const startedAt = performance.now();
    const text = await this.#read(request);
    const tookMs = performance.now() - startedAt;
    const readerAfter = processCpuMs(reader);
    if (request < WARM_UP) return;
    this.#timesMs.push(tookMs);
    this.#cpuMs += readerAfter - readerBefore + postgresCpuMs(postmaster) - postgresBefore;
    this.#bytes += Buffer.byteLength(text);
  }

  times(): ReadTimes {
    const requests = this.#timesMs.length;
    return {
      p50Ms: percentile(this.#timesMs, 0.5),
      p99Ms: percentile(this.#timesMs, 0.99),
      cpuMs: this.#cpuMs / requests,
      bytes: this.#bytes / requests,
    };
  }
}
