// What a Citus cluster costs beside one PostgreSQL: the CPU time of its backends for a stored trace, and the p50 of reads, both
// relative to a PostgreSQL with the same settings, in alternating rounds. Passes if batches of 50 cost at most 1.15, single
// traces of 64 tenants 2.0, of one tenant 1.3, and reads 1.5. CITUS_URL and CITUS_WORKERS as in citus.ts; PLAIN_URL names the
// database postgres of the other PostgreSQL. All must run on this machine.
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { median } from "@whytrace/testing/percentile.ts";
import { migrateCluster } from "@whytrace/testing/postgres/citus-cluster.ts";
import { createCitusDatabase } from "@whytrace/testing/postgres/citus-database.ts";
import { databaseUrl, execute } from "@whytrace/testing/postgres/databases.ts";
import { createSession } from "@whytrace/testing/samples/create-session.ts";
import { killServer, runTrial, startTrialServer } from "@whytrace/testing/trial.ts";
import { createDatabase, createPool } from "../../../packages/server/src/db/database.ts";
import { migrate } from "../../../packages/server/src/db/migrate.ts";
import { generateBatches } from "../../bench/generate/generate-batches.ts";
import { insertSenders, type Sender, senderId } from "../../bench/ingest-tenants.ts";
import { KeepAliveClient } from "../../bench/keep-alive-client.ts";
import { batchRequest, postBatches } from "../../bench/post-batches.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    traces: { type: "string", default: "640" },
  },
});
const ROUNDS = Number(options.rounds);
const TRACES = Number(options.traces);
const TENANTS = 64;
const SHARDS = 32;

const WAYS = [
  { name: "batches of 50", tenants: 8, batchSize: 50, connections: 4, limit: 1.15 },
  { name: "single traces, 64 tenants", tenants: TENANTS, batchSize: 1, connections: 64, limit: 2 },
  { name: "single traces, one tenant", tenants: 1, batchSize: 1, connections: 64, limit: 1.3 },
];
const READS = ["/api/traces", "/api/decisions", "/api/traces?sort=costliest", "/api/sessions"];
const READ_LIMIT = 1.5;

interface Side {
  name: string;
  url: string;
  database: string;
  senders: Sender[];
  cookie: string;
}

await runTrial(async (onCleanup) => {
  const plainAdmin = process.env.PLAIN_URL;
  if (!plainAdmin) {
    console.log(
      "Skipped: set PLAIN_URL to the database postgres of a PostgreSQL without Citus on this machine.",
    );
    return true;
  }
  const cluster = await createCitusDatabase(2);
  if (!cluster) return true;
  onCleanup(cluster.drop);
  const name = `whytrace_trial_${randomBytes(4).toString("hex")}`;
  await execute(plainAdmin, `create database ${name}`);
  onCleanup(() => execute(plainAdmin, `drop database ${name} with (force)`));

  const open = async (side: string, url: string, env: Record<string, string>): Promise<Side> => {
    await (env.SHARDING ? migrateCluster(url, SHARDS) : migrate(url));
    const db = createDatabase(createPool(url, { max: 2 }));
    const senders = await insertSenders(db, TENANTS);
    const cookie = `whytrace_session=${await createSession(db, senderId(0))}`;
    await db.destroy();
    const server = await startTrialServer(url, env);
    onCleanup(async () => {
      const errors = server.lines.filter((line) => /"level":[456]0/.test(line));
      for (const line of errors.slice(0, 5)) console.log(`${side}: ${line}`);
      await killServer(server);
    });
    return { name: side, url: server.url, database: new URL(url).pathname.slice(1), senders, cookie };
  };
  const sides = [
    await open("plain", databaseUrl(plainAdmin, name), {}),
    await open("citus", cluster.url, { SHARDING: "citus" }),
  ];

  let hasPassed = true;
  const ratio = (what: string, values: Map<string, number[]>, unit: string, limit: number) => {
    const [plain = Number.NaN, citus = Number.NaN] = sides.map(({ name }) => median(values.get(name) ?? []));
    const times = citus / plain;
    hasPassed &&= times <= limit;
    console.log(
      `${what}: plain ${plain.toFixed(2)} ${unit}, citus ${citus.toFixed(2)} ${unit}: ${times.toFixed(2)} (at most ${limit})`,
    );
  };
  for (const [index, way] of WAYS.entries()) {
    const cpuMs = new Map<string, number[]>();
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [at, side] of sides.entries()) {
        const plan = {
          tenants: side.senders.slice(0, way.tenants),
          seed: index * 100 + round,
          idSeed: index * 1_000 + round * 10 + at,
          traceCount: TRACES,
          batchSize: way.batchSize,
          size: "full" as const,
        };
        const requests = Array.from(generateBatches(plan), batchRequest);
        const before = backendsCpuMs(side.database);
        await postBatches([side.url], requests, way.connections);
        const usedMs = backendsCpuMs(side.database) - before;
        // In the first round, connections are opened and statements are planned.
        if (round > 0) cpuMs.set(side.name, [...(cpuMs.get(side.name) ?? []), usedMs / TRACES]);
      }
    ratio(way.name, cpuMs, "ms of CPU a trace", way.limit);
  }
  for (const path of READS) {
    const timesMs = new Map<string, number[]>();
    const clients = sides.map(({ url, cookie }) => new KeepAliveClient(url, { cookie }));
    for (let request = 0; request < 60; request += 1)
      for (const [at, { name }] of sides.entries()) {
        const startedAt = performance.now();
        const response = await clients[at]?.send(path, { method: "GET" });
        if (response?.status !== 200) throw new Error(`${path} got ${response?.status}: ${response?.text}`);
        if (request >= 10) timesMs.set(name, [...(timesMs.get(name) ?? []), performance.now() - startedAt]);
      }
    for (const client of clients) client.close();
    ratio(`GET ${path}, p50`, timesMs, "ms", READ_LIMIT);
  }
  return hasPassed;
});

/** The CPU time of all backends that work on a database, on any node. Others may use the same servers. */
function backendsCpuMs(database: string): number {
  let ticks = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(` ${database} `)) continue;
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // The process has exited.
    }
  return ticks * 10;
}
