import { interleave, MAX_DELAY_MS } from "@whytrace/testing/interleave.ts";
import { seededRandom, startFaultyProxy } from "@whytrace/testing/server/faulty-proxy.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  select,
  startTrialServer,
} from "@whytrace/testing/trial.ts";

/*
 * Sends traces with snapshots through a network that delays, drops, loses responses and delivers late. In the end, the
 * server must have stored the final state of every trace.
 */

const TRACES = Number(process.argv[2] ?? 10_000);
const SEED = Number(process.argv[3] ?? 1);

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const { key, user } = await newTenant(server.url, database.url, LARGE_PLAN);
  const random = seededRandom(SEED);
  const proxy = await startFaultyProxy(server.url, random, MAX_DELAY_MS);
  onCleanup(() => proxy.close());

  const { recordings, stats } = await interleave(proxy, key, { traces: TRACES, clients: 16, random });
  const sum = (field: "sent" | "snapshotsSent" | "dropped") =>
    stats.reduce((total, one) => total + one[field], 0);
  const rows = await select<{ id: string; status: string; spans: string }>(
    database.url,
    `select t.id, t.status, count(s.id) as spans from traces t left join spans s
       on s.workspace_id = t.workspace_id and s.trace_id = t.id
     where t.workspace_id = '${user.workspaceId}' group by t.id, t.status`,
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  const stale = recordings.filter(({ trace }) => {
    const row = stored.get(trace.id);
    return row?.status !== trace.status || Number(row.spans) !== trace.spans.length;
  });
  console.log(
    `${recordings.length} traces, seed ${SEED}: faults ${JSON.stringify(proxy.faults)}; ` +
      `${sum("snapshotsSent")} snapshots acknowledged, ${sum("sent")} sent, ${sum("dropped")} dropped, ${stale.length} stale`,
  );
  return stale.length === 0 && sum("sent") === recordings.length && sum("dropped") === 0;
});
