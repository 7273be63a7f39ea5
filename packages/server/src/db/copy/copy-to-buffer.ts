import type { RawBuilder } from "kysely";
import pg from "pg";
import { snapshotOn } from "../transaction.ts";
import { copyStatement } from "./copy-out.ts";

/** The results of several queries as PostgreSQL sends them, in one piece of memory that can move to another thread. */
export interface CopiedResults {
  bytes: Buffer<ArrayBuffer>;
  /** Where the result of each query lies in the bytes; `readCopiedRows` reads it. */
  results: { start: number; end: number }[];
}

export interface CopyOptions {
  maxBytes: number;
  /** Memory to use if it is large enough: new memory for each call would keep the garbage collector busy. */
  memory?: ArrayBuffer | undefined;
}

const INITIAL_BYTES = 64 * 1024;

/** Collects bytes until they are too many. */
class Collector {
  bytes: Buffer<ArrayBuffer>;
  length = 0;
  readonly #maxBytes: number;

  constructor({ maxBytes, memory = new ArrayBuffer(INITIAL_BYTES) }: CopyOptions) {
    this.#maxBytes = maxBytes;
    this.bytes = Buffer.from(memory);
  }

  get isTooLarge() {
    return this.length > this.#maxBytes;
  }

  add(chunk: Buffer) {
    const end = this.length + chunk.length;
    if (end > this.bytes.length && end <= this.#maxBytes) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, end));
      this.bytes.copy(larger, 0, 0, this.length);
      this.bytes = larger;
    }
    if (end <= this.bytes.length) chunk.copy(this.bytes, this.length);
    this.length = end;
  }
}

class CopyToBufferQuery extends pg.Query {
  start = 0;
  end = 0;
  readonly #collector: Collector;
  readonly #stop: () => void;

  constructor(
    statement: string,
    {
      collector,
      stop,
      done,
    }: { collector: Collector; stop: () => void; done: (error: Error | null) => void },
  ) {
    super(statement, done);
    this.#collector = collector;
    this.#stop = stop;
  }

  handleCopyData({ chunk }: { chunk: Buffer }) {
    if (this.end === 0) this.start = this.#collector.length;
    this.#collector.add(chunk);
    this.end = this.#collector.length;
    if (this.#collector.isTooLarge) this.#stop();
  }
}

/**
 * Runs queries on one snapshot of the database and collects their rows without looking at them. Returns undefined if there
 * are more than `maxBytes`: then it closes the connection, because PostgreSQL would go on sending.
 */
export async function copyToBuffer(
  client: pg.PoolClient,
  queries: RawBuilder<unknown>[],
  options: CopyOptions,
): Promise<CopiedResults | undefined> {
  const collector = new Collector(options);
  const stop = () => client.connection.stream.destroy();
  const copy = (query: RawBuilder<unknown>) =>
    new Promise<CopyToBufferQuery>((resolve, reject) => {
      const done = (error: Error | null) => (error ? reject(error) : resolve(copying));
      const copying = new CopyToBufferQuery(copyStatement(client, query), { collector, stop, done });
      client.query(copying);
    });
  try {
    const copied = await snapshotOn(client, () => Promise.all(queries.map(copy)));
    return { bytes: collector.bytes, results: copied.map(({ start, end }) => ({ start, end })) };
  } catch (error) {
    if (collector.isTooLarge) return undefined;
    throw error;
  }
}
