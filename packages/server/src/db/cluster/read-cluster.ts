import { sql } from "kysely";
import type { Database } from "../database.ts";
import { DISTRIBUTED_TABLES } from "../distributed-tables.ts";

interface ClusterNode {
  /** host:port */
  name: string;
  role: "coordinator" | "worker";
  /** "drained" answers and may hold no shards; "down" does not answer the coordinator. */
  state: "up" | "drained" | "down";
  /** Groups of colocated shards. */
  shards: number;
  /** Size of the database; null if the node is down. */
  bytes: number | null;
  connections: number | null;
}

/** The shards of all tables that hold the same workspaces. */
interface ShardGroup {
  /** The shard of the first table. */
  id: number;
  node: string;
  /** Null if the node is down. */
  bytes: number | null;
  tenants: number;
}

/** A transaction that a node prepared over a second ago, and of which it does not know yet whether it was committed. */
interface InDoubtTransaction {
  node: string;
  id: string;
  ageSeconds: number;
}

export interface Cluster {
  nodes: ClusterNode[];
  shards: ShardGroup[];
  inDoubt: InDoubtTransaction[];
}

const FIRST_TABLE = DISTRIBUTED_TABLES[0];

/** Needs a database whose tables are distributed. */
export async function readCluster(db: Database): Promise<Cluster> {
  const [groups, found] = await Promise.all([readShards(db), readNodes(db)]);
  const down = new Set(found.filter(({ report }) => report === null).map(({ name }) => name));
  const shards = groups.map((group) => (down.has(group.node) ? { ...group, bytes: null } : group));
  return {
    nodes: found.map(({ report, isCoordinator, isForShards, name }) => ({
      name,
      role: isCoordinator ? "coordinator" : "worker",
      state: report === null ? "down" : isCoordinator || isForShards ? "up" : "drained",
      shards: shards.filter(({ node }) => node === name).length,
      bytes: report?.bytes ?? null,
      connections: report?.connections ?? null,
    })),
    shards,
    inDoubt: found.flatMap(({ name, report }) =>
      (report?.prepared ?? []).map(({ gid, ageSeconds }) => ({ node: name, id: gid, ageSeconds })),
    ),
  };
}

interface NodeReport {
  bytes: number;
  connections: number;
  prepared: { gid: string; ageSeconds: number }[];
}

interface NodeRow {
  name: string;
  isCoordinator: boolean;
  isForShards: boolean;
  report: NodeReport | null;
}

const REPORT = `select json_build_object(
  'bytes', pg_database_size(current_database()),
  'connections', (select count(*) from pg_stat_activity where datname = current_database()),
  'prepared', (select coalesce(json_agg(json_build_object('gid', gid, 'ageSeconds', extract(epoch from now() - prepared))), '[]')
    from pg_prepared_xacts where database = current_database() and prepared < now() - interval '1 second'))`;

async function readNodes(db: Database): Promise<NodeRow[]> {
  const { rows } = await sql<Omit<NodeRow, "report"> & { report: string | null }>`
    select nodename || ':' || nodeport as name, groupid = 0 as is_coordinator, shouldhaveshards as is_for_shards,
      case when success then result end as report
    from pg_dist_node
    left join run_command_on_all_nodes(${REPORT}, give_warning_for_connection_errors => true) using (nodeid)
    where noderole = 'primary' order by groupid`.execute(db);
  return rows.map((row) => ({ ...row, report: row.report === null ? null : JSON.parse(row.report) }));
}

/** The largest first. Shards with the same range of hashes are a group. */
async function readShards(db: Database): Promise<ShardGroup[]> {
  const { rows } = await sql<ShardGroup>`
    with tenants as (
      select get_shard_id_for_distribution_column(${FIRST_TABLE}::text::regclass, id) as id, count(*) as tenants
      from workspaces group by 1
    )
    select max(shardid) filter (where logicalrelid = ${FIRST_TABLE}::regclass) as id, nodename || ':' || nodeport as node,
      sum(shard_size)::bigint as bytes, coalesce(max(tenants), 0) as tenants
    from citus_shards join pg_dist_shard using (shardid) left join tenants on id = shardid
    where logicalrelid = any (${[...DISTRIBUTED_TABLES]}::regclass[])
    group by shardminvalue, nodename, nodeport order by bytes desc, id`.execute(db);
  return rows;
}
