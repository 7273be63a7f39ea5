import { sql } from "kysely";
import type { Database } from "./database.ts";

const LEASE_SECONDS = 60;
const RENEW_MS = 10_000;

const leaseEnd = sql`now() + ${sql.lit(LEASE_SECONDS)} * interval '1 second'`;

/**
 * The right to do a job that one process does at a time. If the process dies, the lease expires. A process that lost its
 * lease to another one notices when it renews it, so the job must stay correct if two processes do it for a while.
 */
export class WorkerLease {
  readonly #db: Database;
  readonly #job: string;
  readonly #number: number;
  #renewedAt = performance.now();

  private constructor(db: Database, job: string, number: number) {
    this.#db = db;
    this.#job = job;
    this.#number = number;
  }

  /** Returns undefined if another process holds the lease. */
  static async take(db: Database, job: string): Promise<WorkerLease | undefined> {
    const { rows } = await sql<{ number: number }>`
      insert into worker_leases as lease (job, number, ends_at) values (${job}, 1, ${leaseEnd})
      on conflict (job) do update set number = lease.number + 1, ends_at = excluded.ends_at
      where lease.ends_at <= now()
      returning number`.execute(db);
    return rows[0] && new WorkerLease(db, job, rows[0].number);
  }

  /** To be called often: renews the lease when it is time. Returns false if another process holds it. */
  async renew(): Promise<boolean> {
    const now = performance.now();
    if (now - this.#renewedAt < RENEW_MS) return true;
    const { rows } = await sql`
      update worker_leases set ends_at = ${leaseEnd}
      where job = ${this.#job} and number = ${this.#number} returning job`.execute(this.#db);
    this.#renewedAt = now;
    return rows.length > 0;
  }

  async end(): Promise<void> {
    await sql`
      update worker_leases set ends_at = now() where job = ${this.#job} and number = ${this.#number}`.execute(
      this.#db,
    );
  }
}
