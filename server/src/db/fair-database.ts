import type pg from "pg";
import { FairPool, type FairPoolOptions } from "../concurrency/fair-pool.ts";
import { type Database, databaseOn } from "./database.ts";
import { clientTransaction } from "./transaction.ts";

/** Gives users turns on the connections of a pool, so that one user never holds more than a part of them. */
export class FairDatabase {
  readonly #pool: pg.Pool;
  readonly #turns: FairPool;

  constructor(pool: pg.Pool, options: FairPoolOptions) {
    this.#pool = pool;
    this.#turns = new FairPool(options);
  }

  get running() {
    return this.#turns.running;
  }

  get waiting() {
    return this.#turns.waiting;
  }

  get refused() {
    return this.#turns.refused;
  }

  /** Whether somebody else uses the server, too. */
  isShared(userId: string): boolean {
    return this.#turns.isShared(userId);
  }

  /**
   * Runs `work` on one connection in the user's turn. `work` must not ask for another turn. A turn that continues a
   * response is never refused.
   */
  run<T>(
    userId: string,
    work: (db: Database, client: pg.PoolClient) => Promise<T>,
    options: { isContinued?: boolean } = {},
  ): Promise<T> {
    const runOnConnection = async () => {
      const client = await this.#pool.connect();
      try {
        return await work(databaseOn(client), client);
      } finally {
        client.release();
      }
    };
    return this.#turns.run(userId, runOnConnection, options);
  }

  /** Runs `work` in the user's turn, on a connection of its own. */
  turn<T>(userId: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(userId, work);
  }

  /** Like `run`, in one transaction. */
  transaction<T>(userId: string, work: (client: pg.PoolClient, trx: Database) => Promise<T>): Promise<T> {
    return this.#turns.run(userId, () => clientTransaction(this.#pool, work));
  }
}
