import type pg from "pg";
import { FairPool, type FairPoolOptions } from "../concurrency/fair-pool.ts";
import { type Database, databaseOn } from "./database.ts";
import type { Node } from "./node.ts";
import { clientTransaction } from "./transaction.ts";

export interface TurnOptions {
  /** A turn that continues a response is never refused. */
  isContinued?: boolean;
  /** Who takes the turn. Default: the user. */
  caller?: string;
}

/**
 * Gives users turns on the connections to the nodes that have their rows, so that one user never holds more than a part of
 * them. Each node has turns of its own.
 */
export class FairDatabase {
  readonly #nodeOf: (userId: string) => Node | Promise<Node>;
  readonly #purpose: "read" | "write";
  readonly #options: FairPoolOptions;
  readonly #turns = new Map<Node, FairPool>();

  constructor(
    nodeOf: (userId: string) => Node | Promise<Node>,
    purpose: "read" | "write",
    options: FairPoolOptions,
  ) {
    this.#nodeOf = nodeOf;
    this.#purpose = purpose;
    this.#options = options;
  }

  get running() {
    return this.#sum(({ running }) => running);
  }

  get waiting() {
    return this.#sum(({ waiting }) => waiting);
  }

  get refused() {
    return this.#sum(({ refused }) => refused);
  }

  #sum(count: (turns: FairPool) => number): number {
    return [...this.#turns.values()].reduce((sum, turns) => sum + count(turns), 0);
  }

  /** Whether somebody else uses the server, too. */
  isShared(userId: string): boolean {
    return [...this.#turns.values()].some((turns) => turns.isShared(userId));
  }

  /**
   * Runs `work` on one connection to the node that has the user's rows, in the user's turn. `work` must not ask for another
   * turn.
   */
  run<T>(
    userId: string,
    work: (db: Database, client: pg.PoolClient) => Promise<T>,
    options?: TurnOptions,
  ): Promise<T> {
    const runOnConnection = async (node: Node) => {
      const client = await node[this.#purpose].connect();
      try {
        return await work(databaseOn(client, node.sharding), client);
      } finally {
        client.release();
      }
    };
    return this.#inTurn(userId, runOnConnection, options);
  }

  /** Runs `work` in the user's turn, on a connection of its own. */
  turn<T>(userId: string, work: () => Promise<T>): Promise<T> {
    return this.#inTurn(userId, work);
  }

  /** Like `run`, in one transaction. */
  transaction<T>(userId: string, work: (client: pg.PoolClient, trx: Database) => Promise<T>): Promise<T> {
    return this.#inTurn(userId, (node) => clientTransaction(node[this.#purpose], work, node.sharding));
  }

  #inTurn<T>(
    userId: string,
    work: (node: Node) => Promise<T>,
    { caller = userId, ...options }: TurnOptions = {},
  ): Promise<T> {
    const run = (node: Node) => {
      let turns = this.#turns.get(node);
      if (!turns) {
        turns = new FairPool(this.#options);
        this.#turns.set(node, turns);
      }
      return turns.run(caller, () => work(node), options);
    };
    const node = this.#nodeOf(userId);
    return node instanceof Promise ? node.then(run) : run(node);
  }
}
