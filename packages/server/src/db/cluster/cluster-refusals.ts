import type { ClusterState, NodeSettings, NodeState } from "./cluster-state.ts";

/** Why the tables cannot be distributed yet, and what the operator should do about it. */
export interface Refusal {
  text: string;
  advice: string;
}

/** The oldest version that was tried. */
const OLDEST_CITUS = [13, 2];
const LONGEST_RECOVERY_MS = 10_000;

/** Returns everything that is wrong, so that the operator can correct it at once. `shards` is the requested number. */
export function clusterRefusals(state: ClusterState, shards?: number): Refusal[] {
  if (state.citusVersion === null)
    return [
      {
        text: `The database ${state.database} has no extension citus`,
        advice:
          "On every node, add citus to shared_preload_libraries, restart PostgreSQL, and run in this database: " +
          "create extension citus",
      },
    ];
  if (!state.isCoordinator)
    return [
      {
        text: "The database is on a worker, not on the coordinator",
        advice: "Give the URL of the coordinator's database",
      },
    ];
  return [
    ...versionRefusals(state.citusVersion),
    ...migrationRefusals(state.pendingMigrations),
    ...nodeRefusals(state.nodes),
    ...brokenPathsBetween(state).map(({ from, to }) => ({
      text: `${from} cannot connect to ${to}`,
      advice: "Check the firewall, pg_hba.conf and ~postgres/.pgpass: every node connects to every other",
    })),
    ...state.nodes.flatMap(({ name, settings }) => (settings ? settingRefusals(name, settings) : [])),
    ...tableRefusals(state.tables, shards),
  ];
}

/** Without those of nodes that do not answer anybody. */
function brokenPathsBetween({ nodes, brokenPaths }: ClusterState): ClusterState["brokenPaths"] {
  const down = nodes.filter(({ settings }) => settings === undefined).map(({ name }) => name);
  return brokenPaths.filter(({ from, to }) => !down.includes(from) && !down.includes(to));
}

function versionRefusals(version: string): Refusal[] {
  const [major = 0, minor = 0] = version.split(/[.-]/).map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_CITUS;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return [];
  return [
    {
      text: `Citus is version ${version}; ${OLDEST_CITUS.join(".")} or newer is needed`,
      advice:
        "Update Citus on every node, then run in this database on every node: alter extension citus update",
    },
  ];
}

function migrationRefusals(pending: string[]): Refusal[] {
  if (pending.length === 0) return [];
  return [
    {
      text: `The schema is not up to date, these migrations are pending: ${pending.join(", ")}`,
      advice: "Run `npm run migrate` with the coordinator's DATABASE_URL first",
    },
  ];
}

function nodeRefusals(nodes: NodeState[]): Refusal[] {
  const refusals: Refusal[] = [];
  if (!nodes.some((node) => node.isCoordinator))
    refusals.push({
      text: "The workers do not know the coordinator's address",
      advice:
        "Run on the coordinator, with a name that workers can reach: select citus_set_coordinator_host('HOST', PORT)",
    });
  if (!nodes.some((node) => !node.isCoordinator && node.isForShards))
    refusals.push({
      text: "The cluster has no worker that may hold shards",
      advice: "Add each worker: whytrace admin cluster add HOST:PORT",
    });
  for (const { name, isActive, settings } of nodes)
    if (!isActive || settings === undefined)
      refusals.push({
        text: `${name} does not answer`,
        advice: isActive
          ? "Start it, or remove it: select citus_remove_node('HOST', PORT)"
          : "Start it and run on the coordinator: select citus_activate_node('HOST', PORT)",
      });
  return refusals;
}

/** The names and values that a node's postgresql.conf needs. */
export function settingRefusals(name: string, settings: NodeSettings): Refusal[] {
  const refusals: Refusal[] = [];
  const needs = (why: string, setting: string, action = "restart it") =>
    refusals.push({ text: `${name}: ${why}`, advice: `Set ${setting} on ${name} and ${action}` });
  if (settings.wal_level !== "logical")
    needs(
      `wal_level is ${settings.wal_level}, so shards cannot move while traces are stored`,
      "wal_level = logical",
    );
  const [connections, prepared] = [
    Number(settings.max_connections),
    Number(settings.max_prepared_transactions),
  ];
  if (prepared < connections)
    needs(
      `max_prepared_transactions is ${prepared}, but ${connections} connections may each prepare one`,
      `max_prepared_transactions = ${connections} or more`,
    );
  const recoveryMs = Number(settings["citus.recover_2pc_interval"] ?? -1);
  if (recoveryMs < 0 || recoveryMs > LONGEST_RECOVERY_MS)
    needs(
      `citus.recover_2pc_interval is ${recoveryMs < 0 ? "off" : `${recoveryMs / 1_000} s`}: that long a trace can be ` +
        "invisible after a worker was killed, though its sender got a success",
      "citus.recover_2pc_interval = '5s'",
      "reload it",
    );
  const plugins = settings.output_plugin_libraries;
  if (plugins !== undefined && !plugins.split(/[\s,]+/).includes("citus"))
    needs(
      "output_plugin_libraries does not name citus, so shards cannot move while traces are stored",
      `output_plugin_libraries = '${[plugins, "citus"].filter(Boolean).join(", ")}'`,
    );
  return refusals;
}

function tableRefusals(tables: ClusterState["tables"], shards: number | undefined): Refusal[] {
  const refusals = tables
    .filter(({ column }) => column !== null && column !== "workspace_id")
    .map(({ name, column }) => ({
      text: `${name} is distributed by ${column}, not by workspace_id`,
      advice: `Run on the coordinator: select undistribute_table('${name}')`,
    }));
  const [first, ...others] = tables;
  for (const { name, column, colocationId } of others)
    if (first && column !== null && colocationId !== first.colocationId)
      refusals.push({
        text: `${name} is not colocated with ${first.name}`,
        advice: `Run on the coordinator: select undistribute_table('${name}')`,
      });
  if (first?.shardCount != null && shards !== undefined && shards !== first.shardCount)
    refusals.push({
      text: `The tables have ${first.shardCount} shards already, not ${shards}`,
      advice: "Leave --shards out. To change the number, see docs/operating/cluster.md: it copies all data",
    });
  return refusals;
}
