import { execute } from "@whytrace/testing/postgres.ts";
import { findPostmaster, postgresCpuMs, processCpuMs } from "./cpu-time.ts";

/** What a piece of work cost. */
export interface Cost {
  timeMs: number;
  /** Of the service's processes, and of everything PostgreSQL: user and system time. */
  nodeCpuMs: number;
  postgresCpuMs: number;
  walBytes: number;
}

/** Reads CPU from the system and the write-ahead log from the database, around one piece of work. */
export class Meter {
  readonly #databaseUrl: string;
  readonly #postmaster: number;

  private constructor(databaseUrl: string, postmaster: number) {
    this.#databaseUrl = databaseUrl;
    this.#postmaster = postmaster;
  }

  static async create(databaseUrl: string): Promise<Meter> {
    return new Meter(databaseUrl, await findPostmaster(databaseUrl));
  }

  /** `servicePids`: the processes of the service that do the work. */
  async measure(servicePids: number[], work: () => Promise<unknown>): Promise<Cost> {
    const cpu = () => ({
      node: servicePids.reduce((sum, pid) => sum + processCpuMs(pid), 0),
      postgres: postgresCpuMs(this.#postmaster),
    });
    // What was written before is on the disk, so that nobody pays for the one before them.
    await execute(this.#databaseUrl, "checkpoint");
    const walBefore = await this.#walBytes();
    const before = cpu();
    const began = performance.now();
    await work();
    const timeMs = performance.now() - began;
    const after = cpu();
    return {
      timeMs,
      nodeCpuMs: after.node - before.node,
      postgresCpuMs: after.postgres - before.postgres,
      walBytes: (await this.#walBytes()) - walBefore,
    };
  }

  async #walBytes(): Promise<number> {
    const { rows } = await execute(
      this.#databaseUrl,
      "select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes",
    );
    return rows[0].bytes;
  }
}
