import { parseArgs } from "node:util";
import { type ParsedTrace, UNLIMITED_SESSIONS } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import pg from "pg";
import { copyRows } from "../../packages/server/src/db/copy/copy-rows.ts";
import { createDatabase, createPool } from "../../packages/server/src/db/database.ts";
import { addTotals, noTotals, type Totals } from "../../packages/server/src/trace-store/counts/totals.ts";
import { dropIndexes } from "./drop-indexes.ts";
import { encodeTraces } from "./encode-traces.ts";
import { generateTraces } from "./generate/generate.ts";
import { tableSizes } from "./table-sizes.ts";
import { bigTenant, insertTenants, planTenants, type Tenant } from "./tenants.ts";

const DAYS = 90;
const DAY_MS = 24 * 3_600_000;
const SIZE = "small";
const WRITERS = 2;

interface Job {
  tenant: Tenant;
  seed: number;
  count: number;
  fromMs: number;
  toMs: number;
}

/**
 * Fills a migrated, empty database day by day and tenant by tenant, so that the rows of all tenants are mixed on disk as
 * after three months of use. Builds the indexes afterwards, which is much faster.
 */
export function loadTenants(databaseUrl: string, scale: number): Promise<void> {
  return load(databaseUrl, planTenants(scale));
}

/** Loads only the large tenant, which may send more. */
export function loadTenant(databaseUrl: string, traceCount: number): Promise<void> {
  return load(databaseUrl, [bigTenant(traceCount)], UNLIMITED_SESSIONS);
}

async function load(databaseUrl: string, tenants: Tenant[], sessionsLimit?: number): Promise<void> {
  const startedAt = performance.now();
  const pool = createPool(databaseUrl, { max: WRITERS + 1, statement_timeout: 0, query_timeout: 0 });
  const db = createDatabase(pool);
  const totals = new Map(tenants.map(({ workspaceId }) => [workspaceId, noTotals()]));
  try {
    await insertTenants(db, tenants, sessionsLimit);
    const rebuildIndexes = await dropIndexes(databaseUrl);
    const jobs = planJobs(tenants, Date.now()).values();
    await Promise.all(Array.from({ length: WRITERS }, () => writeJobs(pool, jobs, totals)));
    await addTotals(
      db,
      tenants.map(({ workspaceId }) => ({ workspaceId, change: totals.get(workspaceId) ?? noTotals() })),
    );
    await pool.query(`
      insert into agent_sessions (workspace_id, session_id, last_started_at)
      select workspace_id, session_id, max(started_at) from traces where session_id is not null group by workspace_id, session_id`);
    await pool.query(`
      insert into decision_days (workspace_id, day, changed)
      select workspace_id, (started_at at time zone 'utc')::date, 1 from traces where decision_point_count > 0 group by 1, 2`);
    console.error(`rows written after ${seconds(startedAt)} s`);
    await rebuildIndexes();
    console.error(`indexes built after ${seconds(startedAt)} s`);
  } finally {
    await db.destroy();
  }
  await vacuum(databaseUrl);
  console.error(`vacuumed after ${seconds(startedAt)} s\n`);
  console.error(await tableSizes(databaseUrl));
}

/** One job per tenant and day; the FREE tenant has sent all its traces in the last seconds. */
function planJobs(tenants: Tenant[], nowMs: number): Job[] {
  const jobs: Job[] = [];
  for (let day = 0; day < DAYS; day += 1)
    for (const tenant of tenants) {
      const isFree = tenant.tier === "FREE";
      if (isFree && day < DAYS - 1) continue;
      const upTo = (days: number) => Math.floor((tenant.traceCount * days) / DAYS);
      const toMs = nowMs - (DAYS - 1 - day) * DAY_MS;
      jobs.push({
        tenant,
        seed: 1_000 + jobs.length,
        count: isFree ? tenant.traceCount : upTo(day + 1) - upTo(day),
        fromMs: isFree ? nowMs - 2_000 : toMs - DAY_MS,
        toMs,
      });
    }
  return jobs.filter(({ count }) => count > 0);
}

async function writeJobs(pool: pg.Pool, jobs: Iterator<Job>, totals: Map<string, Totals>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("set synchronous_commit = off");
    // The encoder does not write created_at. Traces go through a temporary table of the same name, which comes first
    // in the search path, and get their creation time when they are copied to the real table.
    await client.query("create temp table traces (like public.traces including defaults)");
    for (let next = jobs.next(); !next.done; next = jobs.next()) {
      const { tenant, seed, ...run } = next.value;
      const ids = new Random(seed + 2 ** 20);
      const traces = generateTraces(new Random(seed), { ...run, size: SIZE, ids });
      await writeTraces(client, tenant.workspaceId, traces);
      countTotals(totals.get(tenant.workspaceId), traces);
    }
  } finally {
    client.release(true);
  }
}

async function writeTraces(client: pg.PoolClient, workspaceId: string, traces: ParsedTrace[]): Promise<void> {
  await client.query("begin");
  await copyRows(client, await encodeTraces(workspaceId, traces));
  await client.query(`
    update pg_temp.traces set created_at =
      date_trunc('milliseconds', least(coalesce(ended_at, started_at) + interval '1 second', now()));
    insert into public.traces select * from pg_temp.traces;
    insert into trace_owners select id, workspace_id from pg_temp.traces;
    truncate pg_temp.traces`);
  await client.query("commit");
}

function countTotals(total: Totals | undefined, traces: ParsedTrace[]) {
  if (!total) throw new Error("Unknown tenant");
  for (const { status, decisionPoints } of traces) {
    total[status] += 1;
    for (const { type } of decisionPoints) total[type] += 1;
  }
}

async function vacuum(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query("vacuum analyze");
  await client.query("checkpoint");
  await client.end();
}

const seconds = (startedAt: number) => ((performance.now() - startedAt) / 1_000).toFixed(1);

if (import.meta.main) {
  const { values } = parseArgs({
    options: { database: { type: "string" }, scale: { type: "string", default: "1" } },
  });
  if (!values.database)
    throw new Error("Missing --database postgres://…: the migrated, empty database to fill");
  await loadTenants(values.database, Number(values.scale));
}
