import type { Cluster } from "@whytrace/server";
import { expect, it } from "vitest";
import { Output } from "./output.ts";
import { printCluster } from "./print-cluster.ts";

function print(cluster: Cluster): string {
  let text = "";
  const stdout = {
    write(line: string) {
      text += line;
    },
  };
  printCluster(cluster, new Output({ stdout, stderr: stdout, isJson: false, isColourDisabled: true }));
  return text;
}

const shard = (id: number, bytes: number | null, node = "10.0.0.2:5432") => ({ id, node, bytes, tenants: 7 });

it("prints nodes, the largest shards and transactions in doubt in aligned columns", () => {
  const text = print({
    nodes: [
      { name: "10.0.0.1:5432", role: "coordinator", state: "up", shards: 0, bytes: 12e9, connections: 40 },
      { name: "10.0.0.2:5432", role: "worker", state: "up", shards: 12, bytes: 1.5e12, connections: 9 },
      { name: "10.0.0.13:5432", role: "worker", state: "down", shards: 1, bytes: null, connections: null },
    ],
    shards: [
      ...Array.from({ length: 12 }, (_, index) => shard(102_020 - index, 1e11 / (index + 1))),
      shard(102_030, null, "10.0.0.13:5432"),
    ],
    inDoubt: [{ node: "10.0.0.2:5432", id: "citus_0_4711_12_3", ageSeconds: 4.2 }],
  });
  expect(text.split("\n")).toEqual([
    "NODE            ROLE         STATE     SIZE  SHARDS  CONNECTIONS",
    "10.0.0.1:5432   coordinator  up     12.0 GB       -           40",
    "10.0.0.2:5432   worker       up      1.5 TB      12            9",
    "10.0.0.13:5432  worker       down         -       1            -",
    "",
    "SHARD   NODE              SIZE  TENANTS",
    "102020  10.0.0.2:5432   100 GB        7",
    "102019  10.0.0.2:5432  50.0 GB        7",
    expect.stringMatching(/^102018 {2}10.0.0.2:5432 {2}33.3 GB/),
    ...Array.from({ length: 6 }, () =>
      expect.stringMatching(/^1020\d\d {2}10.0.0.2:5432 {2}\d\d.\d GB {8}7$/),
    ),
    "102011  10.0.0.2:5432  10.0 GB        7",
    "and 3 smaller: 17.4 GB, 21 tenants",
    "",
    "IN DOUBT           NODE              AGE",
    "citus_0_4711_12_3  10.0.0.2:5432  4.20 s",
    "",
  ]);
});

it("says that no transaction is in doubt", () => {
  expect(print({ nodes: [], shards: [], inDoubt: [] })).toMatch(/\nNo transaction is in doubt\n$/);
});
