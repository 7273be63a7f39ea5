import { sql } from "kysely";
import type { Database } from "../database.ts";
import { pendingMigrations } from "../migrate.ts";
import { readDistribution, type TableDistribution } from "./read-distribution.ts";

export interface NodeSettings {
  wal_level: string;
  max_connections: string;
  max_prepared_transactions: string;
  /** In milliseconds. Absent if the library is not loaded. */
  "citus.recover_2pc_interval"?: string;
  /** Absent before PostgreSQL 15.19, which has no such setting. */
  output_plugin_libraries?: string;
}

export interface NodeState {
  /** host:port */
  name: string;
  isCoordinator: boolean;
  isActive: boolean;
  /** May hold shards. */
  isForShards: boolean;
  /** Undefined if the coordinator could not ask the node. */
  settings: NodeSettings | undefined;
}

/** What decides whether the tables can be distributed, as it was read from the database. */
export interface ClusterState {
  database: string;
  /** Null without the extension. */
  citusVersion: string | null;
  isCoordinator: boolean;
  pendingMigrations: string[];
  nodes: NodeState[];
  /** Pairs of nodes of which the first cannot connect to the second. */
  brokenPaths: { from: string; to: string }[];
  tables: TableDistribution[];
}

const SETTINGS = `select json_object_agg(name, setting) from pg_settings where name in (
  'wal_level', 'max_connections', 'max_prepared_transactions', 'citus.recover_2pc_interval', 'output_plugin_libraries')`;

export async function readClusterState(db: Database): Promise<ClusterState> {
  const { rows } = await sql<{ database: string; citusVersion: string | null }>`
    select current_database() as database,
      (select extversion from pg_extension where extname = 'citus') as citus_version`.execute(db);
  const { database, citusVersion } = rows[0] ?? { database: "", citusVersion: null };
  const state = { database, citusVersion, pendingMigrations: await pendingMigrations(db) };
  if (citusVersion === null)
    return { ...state, isCoordinator: false, nodes: [], brokenPaths: [], tables: [] };
  return {
    ...state,
    isCoordinator: await isCoordinator(db),
    nodes: await readNodes(db),
    brokenPaths: await readBrokenPaths(db),
    tables: await readDistribution(db),
  };
}

async function isCoordinator(db: Database): Promise<boolean> {
  const { rows } = await sql<{ groupid: number }>`select groupid from pg_dist_local_group`.execute(db);
  return rows[0]?.groupid === 0;
}

async function readNodes(db: Database): Promise<NodeState[]> {
  const { rows } = await sql<Omit<NodeState, "settings"> & { settings: string | null }>`
    select nodename || ':' || nodeport as name, groupid = 0 as is_coordinator, isactive as is_active,
      shouldhaveshards as is_for_shards, case when success then result end as settings
    from pg_dist_node left join run_command_on_all_nodes(${SETTINGS}, give_warning_for_connection_errors => true) using (nodeid)
    where noderole = 'primary' order by groupid`.execute(db);
  return rows.map((row) => ({
    ...row,
    settings: row.settings === null ? undefined : JSON.parse(row.settings),
  }));
}

async function readBrokenPaths(db: Database): Promise<{ from: string; to: string }[]> {
  const { rows } = await sql<{ from: string; to: string }>`
    select from_nodename || ':' || from_nodeport as from, to_nodename || ':' || to_nodeport as to
    from citus_check_cluster_node_health() where result is not true`.execute(db);
  return rows;
}
