// What part of the bare engine's speed ingest reaches, and at what CPU a trace; see README.md.
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { generateKey, hashKey, keyPrefix } from "../server/src/api-keys/key-format.ts";
import { UNLIMITED_SESSIONS } from "../server/src/config.ts";
import { createDatabase, createPool, type Database } from "../server/src/db/database.ts";
import { execute } from "../server/test/postgres.ts";
import { prepareBareCopy } from "./bare-copy.ts";
import { createBenchDatabase } from "./bench-database.ts";
import { readColumnTypes } from "./copy-text.ts";
import { findPostmaster, postgresCpuMs, processCpuMs } from "./cpu-time.ts";
import { ingestBatches } from "./ingest-batches.ts";
import { postBatches } from "./post-batches.ts";
import { Random } from "./random.ts";
import { type IngestLeg, reportIngest } from "./report-ingest.ts";
import { startServer } from "./start-server.ts";
import { insertTenants, type Tenant } from "./tenants.ts";
import { writeBatch } from "./write-batch.ts";

const { values } = parseArgs({
  options: {
    traces: { type: "string", default: "6000" },
    rounds: { type: "string", default: "3" },
    batch: { type: "string", default: "50" },
    clients: { type: "string", default: "4" },
    tenants: { type: "string", default: "8" },
    "warm-up": { type: "string", default: "1000" },
  },
});
const terms = {
  traces: Number(values.traces),
  rounds: Number(values.rounds),
  batch: Number(values.batch),
  clients: Number(values.clients),
  tenants: Number(values.tenants),
};
const DURABILITY = ["fsync", "synchronous_commit", "full_page_writes"];

type Way = IngestLeg["way"];

const database = await createBenchDatabase();
try {
  await expectDurable();
  const legs = await measureRounds();
  const report = reportIngest(legs, terms);
  const folder = new URL("results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("ingest.md", folder), report);
  console.log(report);
} finally {
  await database.drop();
}

async function measureRounds(): Promise<IngestLeg[]> {
  const db = createDatabase(createPool(database.url, { max: 1, statement_timeout: 0, query_timeout: 0 }));
  const postmaster = await findPostmaster(database.url);
  const types = await readColumnTypes(database.url);
  const tenants = planIngestTenants();
  await insertTenants(db, tenants, UNLIMITED_SESSIONS);
  const keys = new Map(
    await Promise.all(tenants.map(async ({ userId }) => [userId, await insertKey(db, userId)] as const)),
  );
  const server = await startServer(database.url);

  const prepare = {
    async service(round: number, traceCount: number) {
      const postings = Array.from(batchesOf("service", round, traceCount), ({ tenant, traces }) => ({
        key: keys.get(tenant.userId) ?? "",
        body: writeBatch(traces),
        count: traces.length,
      }));
      return { run: () => postBatches(server.url, postings, terms.clients), remove: async () => {} };
    },
    bare: (round: number, traceCount: number) =>
      prepareBareCopy(database.url, batchesOf("bare", round, traceCount), types),
  };
  const batchesOf = (way: Way, round: number, traceCount: number) =>
    ingestBatches({
      tenants,
      seed: 10 + round,
      idSeed: 1_000 + round * 2 + (way === "bare" ? 1 : 0),
      traceCount,
      batchSize: terms.batch,
    });

  const measure = async (way: Way, round: number, traceCount: number): Promise<IngestLeg> => {
    const { run, remove } = await prepare[way](round, traceCount);
    try {
      const rowsBefore = await countRows(db);
      // What was written before is on the disk, so that nobody pays for the one before them.
      await sql`checkpoint`.execute(db);
      const cpu = () => ({ node: processCpuMs(server.pid), postgres: postgresCpuMs(postmaster) });
      const before = cpu();
      const began = performance.now();
      await run();
      const timeMs = performance.now() - began;
      const after = cpu();
      return {
        way,
        tracesPerSecond: (traceCount / timeMs) * 1_000,
        nodeCpuMs: (after.node - before.node) / traceCount,
        postgresCpuMs: (after.postgres - before.postgres) / traceCount,
        rows: (await countRows(db)).map((rows, table) => rows - (rowsBefore[table] ?? 0)),
      };
    } finally {
      await remove();
    }
  };

  try {
    for (const way of ["service", "bare"] as const) await measure(way, 0, Number(values["warm-up"]));
    const legs: IngestLeg[] = [];
    for (let round = 1; round <= terms.rounds; round += 1)
      // Each goes first in turn, as the second finds larger tables.
      for (const way of round % 2 === 1 ? (["service", "bare"] as const) : (["bare", "service"] as const)) {
        const leg = await measure(way, round, terms.traces);
        console.log(`round ${round}, ${way}: ${leg.tracesPerSecond.toFixed(0)} traces/s`);
        expectRows(leg, legs[0] ?? leg);
        legs.push(leg);
      }
    return legs;
  } finally {
    await server.stop();
    await db.destroy();
  }
}

function planIngestTenants(): Tenant[] {
  const random = new Random(3);
  return Array.from({ length: terms.tenants }, (_, index) => ({
    userId: random.uuid(),
    email: `ingest-${index + 1}@bench.test`,
    tier: "PRO",
    traceCount: 0,
  }));
}

async function insertKey(db: Database, userId: string): Promise<string> {
  const key = generateKey();
  await sql`
    insert into api_keys (user_id, name, prefix, key_hash)
    values (${userId}, 'bench', ${keyPrefix(key)}, ${hashKey(key)})`.execute(db);
  return key;
}

/** Owners, traces, spans, decision points and events. */
async function countRows(db: Database): Promise<number[]> {
  const { rows } = await sql<{ counts: number[] }>`
    select array[(select count(*) from trace_owners), (select count(*) from traces), (select count(*) from spans),
      (select count(*) from decision_points), (select count(*) from events)]::integer[] as counts`.execute(
    db,
  );
  return rows[0]?.counts ?? [];
}

function expectRows(leg: IngestLeg, first: IngestLeg) {
  const isComplete = leg.rows[0] === terms.traces && leg.rows[1] === terms.traces;
  if (!isComplete || leg.rows.join() !== first.rows.join())
    throw new Error(`${leg.way} stored ${leg.rows.join()} rows, the first leg ${first.rows.join()}`);
}

async function expectDurable(): Promise<void> {
  for (const name of DURABILITY) {
    const { rows } = await execute(database.url, `select current_setting('${name}') as value`);
    if (rows[0].value !== "on")
      throw new Error(`${name} is ${rows[0].value}: the figures would mean nothing`);
  }
}
