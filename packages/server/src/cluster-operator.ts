import type pg from "pg";
import { clusterRefusals, type Refusal, settingRefusals } from "./db/cluster/cluster-refusals.ts";
import { type ClusterState, readClusterState } from "./db/cluster/cluster-state.ts";
import {
  type DistributeOptions,
  type DistributionStep,
  distributeTables,
} from "./db/cluster/distribute-tables.ts";
import {
  addNode,
  drainNode,
  type MoveProgress,
  type NodeAddress,
  rebalance,
  removeNode,
} from "./db/cluster/move-shards.ts";
import { type Cluster, readCluster } from "./db/cluster/read-cluster.ts";
import { hasCitus, readDistribution } from "./db/cluster/read-distribution.ts";
import { createDatabase, createPool, type Database } from "./db/database.ts";

/** Operations of the command line on a Citus cluster. They work on the coordinator's database, without a running server. */
export class ClusterOperator {
  readonly #pool: pg.Pool;
  readonly #db: Database;

  constructor(databaseUrl: string) {
    // Copying a table takes longer than a request may.
    this.#pool = createPool(databaseUrl, {
      max: 5,
      statement_timeout: 0,
      query_timeout: 0,
      idle_in_transaction_session_timeout: 0,
    });
    this.#db = createDatabase(this.#pool);
  }

  async check(shardCount?: number): Promise<{ state: ClusterState; refusals: Refusal[] }> {
    const state = await readClusterState(this.#db);
    return { state, refusals: clusterRefusals(state, shardCount) };
  }

  distribute(options: DistributeOptions): AsyncGenerator<DistributionStep> {
    return distributeTables(this.#pool, options);
  }

  async describe(): Promise<Cluster> {
    await this.#requireCluster();
    return readCluster(this.#db);
  }

  /** Adds a worker, unless its settings are wrong. */
  async addNode(address: NodeAddress): Promise<Refusal[]> {
    await this.#requireCitus();
    const name = `${address.host}:${address.port}`;
    try {
      await addNode(this.#db, address);
    } catch (error) {
      return [
        {
          text: error instanceof Error ? error.message : String(error),
          advice:
            `On ${name}, create the database with the extension citus, and let every node connect to every other ` +
            "(pg_hba.conf, ~postgres/.pgpass)",
        },
      ];
    }
    const { nodes } = await readClusterState(this.#db);
    const settings = nodes.find((node) => node.name === name)?.settings;
    const refusals = settings ? settingRefusals(name, settings) : [];
    if (refusals.length > 0) await removeNode(this.#db, address);
    return refusals;
  }

  async removeNode(address: NodeAddress): Promise<void> {
    await this.#requireCluster();
    await removeNode(this.#db, address);
  }

  async *drain(address: NodeAddress): AsyncGenerator<MoveProgress> {
    await this.#requireCluster();
    yield* drainNode(this.#db, address);
  }

  async *rebalance(): AsyncGenerator<MoveProgress> {
    await this.#requireCluster();
    yield* rebalance(this.#db);
  }

  async #requireCitus(): Promise<void> {
    if (!(await hasCitus(this.#db)))
      throw new Error("This database is not part of a Citus cluster: it has no extension citus");
  }

  async #requireCluster(): Promise<void> {
    await this.#requireCitus();
    const [first] = await readDistribution(this.#db);
    if (first?.column == null)
      throw new Error("The tables are not distributed yet. Run `whytrace admin distribute` first");
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
