import type pg from "pg";
import { FairPool, type FairPoolOptions } from "../concurrency/fair-pool.ts";
import { type Database, databaseOn } from "./database.ts";
import type { Node } from "./node.ts";
import { nodeTransaction } from "./transaction.ts";
import type { WorkspaceId } from "./workspace-id.ts";

export interface SlotOptions {
  /** A slot that continues a response is never refused. */
  isContinued?: boolean;
  /** Who takes the slot. Default: the workspace. */
  caller?: string;
}

/**
 * Gives workspaces slots on the connections to the nodes that have their rows, so that one workspace never holds more than its share
 * of them. Each node has slots of its own.
 */
export class FairDatabase {
  readonly #nodeOf: (workspaceId: WorkspaceId) => Node | Promise<Node>;
  readonly #purpose: "read" | "write";
  readonly #options: FairPoolOptions;
  readonly #pools = new Map<Node, FairPool>();

  constructor(
    nodeOf: (workspaceId: WorkspaceId) => Node | Promise<Node>,
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

  #sum(count: (pool: FairPool) => number): number {
    return [...this.#pools.values()].reduce((sum, pool) => sum + count(pool), 0);
  }

  /** Whether somebody else uses the server, too. */
  isShared(workspaceId: WorkspaceId): boolean {
    return [...this.#pools.values()].some((pool) => pool.isShared(workspaceId));
  }

  /**
   * Runs `work` on one connection to the node that has the workspace's rows, in a slot of the workspace. `work` must not ask for another
   * slot.
   */
  run<T>(
    workspaceId: WorkspaceId,
    work: (db: Database, client: pg.PoolClient) => Promise<T>,
    options?: SlotOptions,
  ): Promise<T> {
    const runOnConnection = async (node: Node) => {
      const client = await node[this.#purpose].connect();
      try {
        return await work(databaseOn(client, node.sharding), client);
      } finally {
        client.release();
      }
    };
    return this.#inSlot(workspaceId, runOnConnection, options);
  }

  /** Runs `work` in a slot of the workspace, on a connection of its own. */
  slot<T>(workspaceId: WorkspaceId, work: () => Promise<T>): Promise<T> {
    return this.#inSlot(workspaceId, work);
  }

  /** Like `run`, in one transaction. */
  transaction<T>(
    workspaceId: WorkspaceId,
    work: (client: pg.PoolClient, trx: Database) => Promise<T>,
  ): Promise<T> {
    return this.#inSlot(workspaceId, (node) => nodeTransaction(node, this.#purpose, work));
  }

  #inSlot<T>(
    workspaceId: WorkspaceId,
    work: (node: Node) => Promise<T>,
    { caller = workspaceId, ...options }: SlotOptions = {},
  ): Promise<T> {
    const run = (node: Node) => {
      let pool = this.#pools.get(node);
      if (!pool) {
        pool = new FairPool(this.#options);
        this.#pools.set(node, pool);
      }
      return pool.run(caller, () => work(node), options);
    };
    const node = this.#nodeOf(workspaceId);
    return node instanceof Promise ? node.then(run) : run(node);
  }
}
