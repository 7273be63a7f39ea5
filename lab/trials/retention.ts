// Deletes the expired half of a tenant's traces while eight other users send and read traces. Passes if exactly the expired
// traces are deleted, the stored totals equal a count whenever one looks, the p99 of what the other users send grows by at
// most a factor of 1.3, and as many new traces then need little more disk.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { percentile } from "@whytrace/testing/percentile.ts";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  select,
  startTrialServer,
  type Tenant,
} from "@whytrace/testing/trial.ts";
import { insertTraces } from "./support/insert-traces.ts";
import { type Measured, QuietTenants } from "./support/quiet-tenants.ts";

const TENANTS = 8;
const WARM_UP_SECONDS = 10;
/** Seconds without and with deletion follow each other, so that a machine that gets slower does not change the ratio. */
const QUIET_SECONDS = 20;
const DELETION_SECONDS = 40;
const MAX_RATIO = 1.3;
/** How much the tables may grow by as many traces as were deleted, relative to what those had needed. */
const MAX_GROWTH = 0.25;
const MAX_VACUUM_SECONDS = 900;
const START_MS = 3_000;
const LOOK_PAUSE_MS = 10_000;
const DAYS = 30;
const TABLES = ["traces", "spans", "decision_points", "events", "trace_payloads", "trace_owners"];

/** The requests of several measurements together. */
class Requests {
  refused = 0;
  readonly #ingestMs: number[] = [];

  add({ ingestMs, refused }: Measured) {
    this.#ingestMs.push(...ingestMs);
    this.refused += refused;
  }

  ingestMs(quantile: number): number {
    return percentile(this.#ingestMs, quantile);
  }

  toString(): string {
    const [p50, p99] = [this.ingestMs(0.5).toFixed(1), this.ingestMs(0.99).toFixed(1)];
    return `ingest p50 ${p50} / p99 ${p99} ms; ${this.#ingestMs.length} requests of ingest, ${this.refused} of all refused`;
  }
}

const { values } = parseArgs({ options: { traces: { type: "string", default: "1000000" } } });
const traceCount = Number(values.traces);

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const { url } = database;
  const server = await startTrialServer(url);
  onCleanup(() => killServer(server));
  const { user } = await newTenant(server.url, url);
  // Their facts are missing, and computing them is not what is measured.
  await lease(url, "backfill facts", "infinity");
  const emptyBytes = await diskBytes(url);
  const loadedAt = performance.now();
  // Evenly over the last 60 days, so that half of them are older than 30 days.
  const step = `interval '${2 * DAYS * 24} hours' / ${traceCount}`;
  const from = new Date(Date.now() - 2 * DAYS * 86_400_000).toISOString();
  const at = `timestamptz '${from}' + n * ${step}`;
  await insertTraces(url, user.workspaceId, { traceCount, at });
  const loadMs = performance.now() - loadedAt;
  const fullBytes = (await diskBytes(url)) - emptyBytes;

  const others: Tenant[] = [];
  for (let i = 0; i < TENANTS; i += 1) others.push(await newTenant(server.url, url, LARGE_PLAN));
  const tenants = new QuietTenants(server.url, others);
  const looks = { count: 0, wrong: 0 };
  /** Returns whether expired traces are left. */
  const look = () =>
    tenants.pauseDuring(async () => {
      looks.count += 1;
      if (!(await areTotalsRight(url, user.workspaceId))) looks.wrong += 1;
      return hasExpired(url, user.workspaceId);
    });
  await tenants.run(WARM_UP_SECONDS);
  await user.put("/api/workspace/retention", { days: DAYS });
  const quiet = new Requests();
  const during = new Requests();
  let deletionMs = 0;
  for (let isDone = false; !isDone; ) {
    await lease(url, "expire traces", "infinity");
    quiet.add(await tenants.run(QUIET_SECONDS));
    await lease(url, "expire traces", "now");
    // Its worker starts at once.
    const second = await startTrialServer(url);
    onCleanup(() => killServer(second));
    const startedAt = performance.now();
    // What else a server does when it starts is not measured.
    await sleep(START_MS);
    const measured = await tenants.runDuring(async () => {
      while (!isDone && performance.now() - startedAt < DELETION_SECONDS * 1_000) {
        await sleep(LOOK_PAUSE_MS);
        isDone = !(await look());
      }
    });
    during.add(measured);
    second.child.kill("SIGTERM");
    await once(second.child, "exit");
    deletionMs += performance.now() - startedAt;
  }
  const left = await select<{ traces: string; wrong: string }>(
    url,
    `select count(*) as traces, count(*) filter (where created_at <= now() - interval '${DAYS * 24 + 1} hours') as wrong
     from traces where workspace_id = '${user.workspaceId}'`,
  );
  const leftCount = Number(left[0]?.traces);
  const deleted = traceCount - leftCount;
  const kept = Number(left[0]?.wrong) === 0 && Math.abs(deleted - traceCount / 2) <= traceCount / 100;
  const wrongAgentSessions = await countWrongAgentSessions(url, user.workspaceId);
  const vacuum = await waitForVacuum(url);
  const beforeBytes = await diskBytes(url);
  await insertTraces(url, user.workspaceId, {
    traceCount: deleted,
    at: `timestamptz '${new Date().toISOString()}' + n * interval '1 microsecond'`,
    after: traceCount,
  });
  const growth = ((await diskBytes(url)) - beforeBytes) / ((fullBytes * deleted) / traceCount);

  const ratio = during.ingestMs(0.99) / quiet.ingestMs(0.99);
  console.log(`${traceCount} traces inserted in ${seconds(loadMs)}, ${(fullBytes / 1e6).toFixed(0)} MB`);
  console.log(
    `${deleted} deleted in ${seconds(deletionMs)}, ${(deleted / (deletionMs / 1_000)).toFixed(0)} per second; ` +
      `${looks.count} looks, ${looks.wrong} with wrong totals; ${wrongAgentSessions} wrong agent sessions`,
  );
  console.log(`quiet:  ${quiet}`);
  console.log(`during: ${during}`);
  console.log(`p99 ratio ${ratio.toFixed(2)} (maximum ${MAX_RATIO})`);
  console.log(
    `${vacuum}; ${deleted} new traces needed ${(growth * 100).toFixed(0)} % of the disk ` +
      `of the deleted ones (maximum ${MAX_GROWTH * 100} %)`,
  );
  return (
    kept &&
    looks.wrong === 0 &&
    wrongAgentSessions === 0 &&
    ratio <= MAX_RATIO &&
    quiet.refused + during.refused === 0 &&
    growth <= MAX_GROWTH
  );
});

/** Takes a job away from the workers of all servers until a time. */
function lease(url: string, job: string, endsAt: "infinity" | "now"): Promise<unknown> {
  return execute(
    url,
    `insert into worker_leases as lease (job, number, ends_at) values ('${job}', 1, '${endsAt}')
     on conflict (job) do update set number = lease.number + 1, ends_at = excluded.ends_at`,
  );
}

async function hasExpired(url: string, workspaceId: string): Promise<boolean> {
  const rows = await select(
    url,
    `select from traces where workspace_id = '${workspaceId}' and created_at <= now() - interval '${DAYS * 24 + 1} hours' limit 1`,
  );
  return rows.length > 0;
}

/** One statement is one snapshot. */
async function areTotalsRight(url: string, workspaceId: string): Promise<boolean> {
  const [row] = await select<{ right: boolean }>(
    url,
    `select completed = (select count(*) from traces where workspace_id = '${workspaceId}' and status = 'COMPLETED')
       and tool_selection = (select count(*) from decision_points where workspace_id = '${workspaceId}') as right
     from trace_totals where workspace_id = '${workspaceId}'`,
  );
  return row?.right === true;
}

async function countWrongAgentSessions(url: string, workspaceId: string): Promise<number> {
  const [row] = await select<{ count: string }>(
    url,
    `select count(*) from (select * from agent_sessions where workspace_id = '${workspaceId}') as stored
     full join (
       select session_id, max(started_at) as last_started_at from traces where workspace_id = '${workspaceId}' group by session_id
     ) as counted using (session_id)
     where stored.last_started_at is distinct from counted.last_started_at`,
  );
  return Number(row?.count);
}

/** Waits until autovacuum has cleaned up every table, or does it where autovacuum is off, and describes it. */
async function waitForVacuum(url: string): Promise<string> {
  const startedAt = performance.now();
  const [setting] = await select<{ autovacuum: string }>(url, "show autovacuum");
  if (setting?.autovacuum === "off") {
    // Pages of indexes that a vacuum emptied are reused after the next one.
    await execute(url, `vacuum ${TABLES}`);
    await execute(url, `vacuum ${TABLES}`);
    return `vacuumed twice by the trial in ${seconds(performance.now() - startedAt)} because autovacuum is off`;
  }
  const waitedSeconds = () => Math.round((performance.now() - startedAt) / 1_000);
  while (waitedSeconds() < MAX_VACUUM_SECONDS) {
    const dead = await select(
      url,
      `select from pg_stat_user_tables where relname in (${TABLES.map((table) => `'${table}'`)})
       and n_dead_tup > 50 + 0.06 * n_live_tup`,
    );
    if (dead.length === 0) break;
    await sleep(1_000);
  }
  return `autovacuum done after ${waitedSeconds()} s`;
}

async function diskBytes(url: string): Promise<number> {
  const sizes = TABLES.map((table) => `pg_total_relation_size('${table}')`);
  const [row] = await select<{ bytes: string }>(url, `select ${sizes.join(" + ")} as bytes`);
  return Number(row?.bytes);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
