import { describe, expect, it } from "vitest";
import { DISTRIBUTED_TABLES } from "../distributed-tables.ts";
import { clusterRefusals } from "./cluster-refusals.ts";
import type { ClusterState, NodeSettings, NodeState } from "./cluster-state.ts";

const node = (name: string, changes: Partial<NodeState> = {}): NodeState => ({
  name,
  isCoordinator: false,
  isActive: true,
  isForShards: true,
  settings: {
    wal_level: "logical",
    max_connections: "300",
    max_prepared_transactions: "300",
    "citus.recover_2pc_interval": "5000",
    output_plugin_libraries: "pgoutput, citus",
  },
  ...changes,
});

const coordinator = node("c:5432", { isCoordinator: true, isForShards: false });

const READY: ClusterState = {
  database: "whytrace",
  citusVersion: "13.2-1",
  isCoordinator: true,
  pendingMigrations: [],
  nodes: [coordinator, node("w1:5432"), node("w2:5432")],
  brokenPaths: [],
  tables: DISTRIBUTED_TABLES.map((name) => ({
    name,
    doesExist: true,
    column: null,
    colocationId: null,
    shardCount: null,
  })),
};

const distributed = READY.tables.map((table) => ({
  ...table,
  column: "workspace_id",
  colocationId: 1,
  shardCount: 32,
}));

const withSettings = (settings: Partial<NodeSettings>): ClusterState => {
  const worker = node("w1:5432");
  return {
    ...READY,
    nodes: [coordinator, { ...worker, settings: worker.settings && { ...worker.settings, ...settings } }],
  };
};

describe("a cluster", () => {
  it("is accepted if nothing is wrong, before and after its tables were distributed", () => {
    expect(clusterRefusals(READY, 64)).toEqual([]);
    expect(clusterRefusals({ ...READY, tables: distributed }, 32)).toEqual([]);
    expect(clusterRefusals({ ...READY, citusVersion: "14.0-1" })).toEqual([]);
  });

  it.each<[string, ClusterState, RegExp, RegExp]>([
    [
      "without the extension",
      { ...READY, citusVersion: null },
      /no extension citus/,
      /create extension citus/,
    ],
    ["that is too old", { ...READY, citusVersion: "12.1-1" }, /12.1-1; 13.2 or newer/, /Update Citus/],
    ["reached on a worker", { ...READY, isCoordinator: false }, /on a worker/, /URL of the coordinator/],
    [
      "with pending migrations",
      { ...READY, pendingMigrations: ["0001_a"] },
      /pending: 0001_a/,
      /npm run migrate/,
    ],
    [
      "whose workers do not know the coordinator",
      { ...READY, nodes: [node("w1:5432")] },
      /do not know the coordinator/,
      /citus_set_coordinator_host/,
    ],
    ["without a worker", { ...READY, nodes: [coordinator] }, /no worker/, /admin cluster add HOST:PORT/],
    [
      "whose only worker is drained",
      { ...READY, nodes: [coordinator, node("w1:5432", { isForShards: false })] },
      /no worker that may hold shards/,
      /cluster add/,
    ],
    [
      "with a worker that is down",
      {
        ...READY,
        nodes: [...READY.nodes, node("w3:5432", { settings: undefined })],
        brokenPaths: [{ from: "w1:5432", to: "w3:5432" }],
      },
      /w3:5432 does not answer/,
      /Start it/,
    ],
    [
      "with a worker that is not active",
      { ...READY, nodes: [...READY.nodes, node("w3:5432", { isActive: false })] },
      /w3:5432 does not answer/,
      /citus_activate_node/,
    ],
    [
      "whose workers do not reach each other",
      { ...READY, brokenPaths: [{ from: "w1:5432", to: "w2:5432" }] },
      /w1:5432 cannot connect to w2:5432/,
      /pg_hba.conf/,
    ],
    [
      "with wal_level replica",
      withSettings({ wal_level: "replica" }),
      /w1:5432: wal_level is replica/,
      /= logical/,
    ],
    [
      "with few prepared transactions",
      withSettings({ max_prepared_transactions: "100" }),
      /is 100, but 300 connections/,
      /max_prepared_transactions = 300 or more/,
    ],
    [
      "that recovers transactions once a minute",
      withSettings({ "citus.recover_2pc_interval": "60000" }),
      /is 60 s: that long a trace can be invisible/,
      /= '5s' on w1:5432 and reload it/,
    ],
    [
      "that recovers none",
      withSettings({ "citus.recover_2pc_interval": "-1" }),
      /recover_2pc_interval is off/,
      /= '5s'/,
    ],
    [
      "without Citus as an output plugin",
      withSettings({ output_plugin_libraries: "pgoutput, not_citus" }),
      /does not name citus/,
      /= 'pgoutput, not_citus, citus'/,
    ],
    [
      "with a table distributed by another column",
      { ...READY, tables: distributed.map((one, i) => (i === 1 ? { ...one, column: "trace_id" } : one)) },
      /spans is distributed by trace_id/,
      /undistribute_table\('spans'\)/,
    ],
    [
      "with a table on other shards",
      { ...READY, tables: distributed.map((one, i) => (i === 1 ? { ...one, colocationId: 2 } : one)) },
      /spans is not colocated with traces/,
      /undistribute_table\('spans'\)/,
    ],
  ])("%s is refused once, and the refusal says what to do", (_, state, text, advice) => {
    const refusals = clusterRefusals(state);
    expect(refusals).toEqual([{ text: expect.stringMatching(text), advice: expect.stringMatching(advice) }]);
  });

  it("keeps its number of shards", () => {
    const [refusal] = clusterRefusals({ ...READY, tables: distributed }, 64);
    expect(refusal?.text).toBe("The tables have 32 shards already, not 64");
  });

  it("with several faults gets them all at once", () => {
    const worker = node("w1:5432");
    const state = { ...READY, pendingMigrations: ["a", "b"], nodes: [worker], citusVersion: "11.0-1" };
    expect(clusterRefusals(state)).toHaveLength(3);
  });
});
