import { execute } from "@whytrace/testing/postgres/databases.ts";
import { storedBytes } from "../table-sizes.ts";
import { findPostmaster, postgresCpuMs, processCpuMs } from "./cpu-time.ts";

/** The resources that a piece of work used. */
export interface Cost {
  timeMs: number;
  /** User and system time of the server processes, and of all PostgreSQL processes. */
  nodeCpuMs: number;
  postgresCpuMs: number;
  walBytes: number;
  /** Growth of the tables with their TOAST tables and indexes. */
  diskBytes: number;
}

/** Measures the time, CPU, write-ahead log and disk of a piece of work. */
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

  /** The work may write to another database of the same server, if that one is given. */
  async measure(
    serverPids: number[],
    work: () => Promise<unknown>,
    databaseUrl = this.#databaseUrl,
  ): Promise<Cost> {
    const cpu = () => ({
      node: serverPids.reduce((sum, pid) => sum + processCpuMs(pid), 0),
      postgres: postgresCpuMs(this.#postmaster),
    });
    // Flush earlier writes, so that this measurement does not include them.
    await execute(this.#databaseUrl, "checkpoint");
    const diskBefore = await storedBytes(databaseUrl);
    const walBefore = await this.#walBytes();
    const before = cpu();
    const startedAt = performance.now();
    await work();
    const timeMs = performance.now() - startedAt;
    const after = cpu();
    return {
      timeMs,
      nodeCpuMs: after.node - before.node,
      postgresCpuMs: after.postgres - before.postgres,
      walBytes: (await this.#walBytes()) - walBefore,
      diskBytes: (await storedBytes(databaseUrl)) - diskBefore,
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
