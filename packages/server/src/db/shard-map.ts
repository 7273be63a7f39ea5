import { sql } from "kysely";
import { batchedRead } from "./batched-read.ts";
import type { Database } from "./database.ts";
import { DISTRIBUTED_TABLES } from "./distributed-tables.ts";
import type { WorkspaceId } from "./workspace-id.ts";

/** How long a map is used before it is read again, in the background. */
const MAX_AGE_MS = 10_000;
const MAX_USERS = 100_000;

/** The table that is distributed last: before it is, statements about a workspace cannot run on a node. */
const LAST_TABLE = DISTRIBUTED_TABLES.at(-1);

/** Node addresses, host:port, by shard. */
type ShardNodes = ReadonlyMap<number, string>;

/**
 * Which node of a cluster has a workspace's rows. What it says may be old, because shards move: every node answers every
 * statement, so a wrong node only costs time.
 */
export class ShardMap {
  readonly #directory: Database;
  /** The shards of workspaces. They change only if a shard is split. */
  readonly #shards = new Map<string, number>();
  #nodes: Promise<ShardNodes> | undefined;
  #readAt = 0;

  constructor(directory: Database) {
    this.#directory = directory;
  }

  /** Returns undefined if no node but the coordinator can be asked. */
  async nodeOf(workspaceId: WorkspaceId): Promise<string | undefined> {
    const nodes = await this.#currentNodes();
    if (nodes.size === 0) return undefined;
    let shard = this.#shards.get(workspaceId);
    if (shard === undefined) {
      shard = await findShard(this.#directory, workspaceId);
      if (shard === undefined) return undefined;
      if (this.#shards.size >= MAX_USERS) this.#shards.clear();
      this.#shards.set(workspaceId, shard);
    }
    return nodes.get(shard);
  }

  /** Says that a node failed: shards may have moved, or the node may have another address. */
  refresh() {
    this.#readAt = 0;
  }

  #currentNodes(): Promise<ShardNodes> {
    const now = performance.now();
    const last = this.#nodes;
    if (last && now - this.#readAt < MAX_AGE_MS) return last;
    this.#readAt = now;
    const next = this.#readNodes();
    // Until the new map is there, and if it cannot be read, the last one serves.
    this.#nodes = last ?? next;
    next.then(
      () => {
        this.#nodes = next;
      },
      () => {
        if (this.#nodes === next) this.#nodes = undefined;
      },
    );
    return this.#nodes;
  }

  async #readNodes(): Promise<ShardNodes> {
    const { rows } = await sql<{ shard: number; node: string }>`
      select shardid as shard, nodename || ':' || nodeport as node
      from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
      where logicalrelid = ${LAST_TABLE}::regclass and isactive and hasmetadata and metadatasynced
        and noderole = 'primary'`.execute(this.#directory);
    const nodes = new Map(rows.map(({ shard, node }) => [shard, node]));
    if ([...this.#shards.values()].some((shard) => !nodes.has(shard))) this.#shards.clear();
    return nodes;
  }
}

const findShard = batchedRead(async (directory, workspaceIds) => {
  const { rows } = await sql<{ workspaceId: WorkspaceId; shard: number }>`
    select workspace_id, get_shard_id_for_distribution_column(${LAST_TABLE}, workspace_id) as shard
    from unnest(${workspaceIds}::uuid[]) as workspace_id`.execute(directory);
  return new Map(rows.map(({ workspaceId, shard }) => [workspaceId, shard]));
});
