// Fills a database with gigabytes of traces, archives its log with pgBackRest from the files in deploy/backup/, and sends one
// trace each second. Then it names a second, lets it pass, deletes all traces, and restores the state of that second. Passes
// if exactly the traces that were acknowledged before it are there, with the right totals, and a server accepts new ones.
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { databaseUrl, execute } from "@whytrace/testing/postgres/databases.ts";
import {
  killServer,
  LARGE_PLAN,
  newTenant,
  postBatch,
  runTrial,
  select,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import pg from "pg";
import { ArchivedPostgres } from "../support/archived-postgres.ts";
import { DebianPackages } from "../support/debian-packages.ts";
import { insertTraces } from "../support/insert-traces.ts";
import { countOrphans, findWrongTotals, traceAt } from "../support/versioned-trace.ts";

const { values } = parseArgs({ options: { gigabytes: { type: "string", default: "10" } } });
const GIGABYTES = Number(values.gigabytes);
const PAYLOAD_BYTES = 60_000;
const PAYLOADS_PER_GIGABYTE = Math.floor(1e9 / PAYLOAD_BYTES);
const STORED = "traces, spans, decision_points, events, trace_payloads, trace_owners, trace_totals";

await runTrial(async (onCleanup) => {
  const folder = await mkdtemp(join(tmpdir(), "whytrace-restore-"));
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  // PostgreSQL runs as another user if the trial runs as root.
  await chmod(folder, 0o755);
  const packages = await DebianPackages.unpack(folder, ["pgbackrest", "postgresql"]);
  if (typeof packages === "string") {
    console.log(`Skipped: ${packages}`);
    return true;
  }
  const postgres = await ArchivedPostgres.create(folder, packages);
  onCleanup(() => postgres.stop());
  await execute(postgres.url, "create database whytrace");
  const url = databaseUrl(postgres.url, "whytrace");
  const server = await startTrialServer(url);
  onCleanup(() => killServer(server));
  const old = await newTenant(server.url, url, LARGE_PLAN);
  const { user, key } = await newTenant(server.url, url, LARGE_PLAN);
  const oldTraces = GIGABYTES * PAYLOADS_PER_GIGABYTE;
  await insertTraces(url, old.user.workspaceId, { traceCount: oldTraces });
  await insertPayloads(url, old.user.workspaceId);
  await postgres.archive();

  const acknowledgedAt = new Map<string, number>();
  let isOver = false;
  const canary = sendEachSecond(server.url, key, acknowledgedAt, () => isOver);
  const backupSeconds = await seconds(() => postgres.pgbackrest("--type=full", "backup"));
  const [size] = await select<{ bytes: string }>(url, "select pg_database_size('whytrace') as bytes");
  const gigabytes = (Number(size?.bytes) / 1e9).toFixed(1);

  const target = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 15_000);
  console.log(
    `${gigabytes} GB backed up in ${backupSeconds.toFixed(0)} s; will restore ${target.toISOString()}`,
  );
  await sleep(target.getTime() - Date.now() + 10_000);
  await execute(url, `truncate ${STORED}`);
  await sleep(3_000);
  isOver = true;
  await canary;
  await killServer(server);
  await postgres.stop();

  const restoreSeconds = await seconds(() => postgres.restore(target));
  const restored = await startTrialServer(url);
  onCleanup(() => killServer(restored));
  const traces = await select<{ id: string }>(
    url,
    `select id from traces where workspace_id = '${user.workspaceId}'`,
  );
  const stored = new Set(traces.map(({ id }) => id));
  const expected = [...acknowledgedAt].filter(([, at]) => at < target.getTime()).map(([id]) => id);
  const missing = expected.filter((id) => !stored.has(id)).length;
  const late = [...stored].filter((id) => !expected.includes(id)).length;
  const [kept] = await select<{ traces: string; payloads: string }>(
    url,
    `select (select count(*) from traces where workspace_id = '${old.user.workspaceId}') as traces,
       (select count(*) from trace_payloads where workspace_id = '${old.user.workspaceId}') as payloads`,
  );
  const oldRows = 3 * oldTraces;
  const lostOld = oldRows - Number(kept?.traces) - Number(kept?.payloads);
  const wrong = [...(await findWrongTotals(url)), ...(await orphansOf(url))];
  const { status } = await postBatch(
    restored.url,
    key,
    JSON.stringify({ traces: [traceAt("afterwards", 1)] }),
  );
  console.log(
    `${gigabytes} GB: full backup ${backupSeconds.toFixed(0)} s, restored and writable in ${(restoreSeconds / 60).toFixed(1)} minutes, ` +
      `load ${loadavg()[0]?.toFixed(1)}; of ${acknowledgedAt.size} traces, one each second, ${expected.length} were acknowledged ` +
      `before the second: ${missing} missing, ${late} later ones there; ${lostOld} of ${oldRows} old rows missing; ` +
      `${wrong.join(", ") || "totals right"}; new trace ${status}`,
  );
  return missing === 0 && late === 0 && lostOld === 0 && wrong.length === 0 && status === 200;
});

/** Rows of payloads that cannot be compressed: pieces of random bytes. */
async function insertPayloads(url: string, workspaceId: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("create temporary table pool (n integer, bytes bytea)");
  await client.query("alter table pool alter column bytes set storage external");
  for (let n = 0; n < 64; n += 1)
    await client.query("insert into pool values ($1, $2)", [n, randomBytes(1024 * 1024)]);
  for (let gigabyte = 0; gigabyte < GIGABYTES; gigabyte += 1)
    await client.query(
      `insert into trace_payloads (workspace_id, trace_id, part, directory, bytes)
       select $1, md5(i::text), 1, '', substr(bytes, i * 7919 % 980000 + 1, ${PAYLOAD_BYTES})
       from generate_series($2::integer, $3::integer) as i join pool on pool.n = i % 64`,
      [workspaceId, gigabyte * PAYLOADS_PER_GIGABYTE + 1, (gigabyte + 1) * PAYLOADS_PER_GIGABYTE],
    );
  await client.end();
  await execute(url, "checkpoint");
}

/** Sends a trace in the middle of each second, so that the beginning of a second divides them clearly. */
async function sendEachSecond(
  serverUrl: string,
  key: string,
  acknowledgedAt: Map<string, number>,
  isOver: () => boolean,
): Promise<void> {
  for (let version = 1; !isOver(); version += 1) {
    await sleep(1_000 - ((Date.now() + 500) % 1_000));
    const id = `canary-${version}`;
    const { status } = await postBatch(serverUrl, key, JSON.stringify({ traces: [traceAt(id, version)] }));
    if (status === 200) acknowledgedAt.set(id, Date.now());
  }
}

async function orphansOf(url: string): Promise<string[]> {
  const orphans = await countOrphans(url);
  return orphans > 0 ? [`${orphans} orphaned rows`] : [];
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}
