// Sends the same ids in different orders at once ([A,B] and [B,A], and larger shuffled batches) over two servers: from
// one user, who sends new ids and then the same ids again, and from two users who race for the same new ids. Passes if
// every response is 200, no trace is lost, no two batches are mixed, and PostgreSQL detected no deadlock. The server would
// hide a deadlock by retrying, but a consistent lock order must prevent it.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerProcess } from "@whytrace/testing/server/server-process.ts";
import {
  createTrialDatabase,
  describeConnectionError,
  killServer,
  LARGE_PLAN,
  newTenant,
  postBatch,
  runTrial,
  select,
  startTrialServer,
  Tally,
  type Tenant,
} from "@whytrace/testing/trial.ts";
import { countOrphans, findWrongTotals, readStored, traceAt } from "./support/versioned-trace.ts";

const ROUNDS = Number(process.argv[2] ?? 5_000);
/** Concurrent rounds. */
const CONCURRENCY = 2;
/** Large enough that claiming the ids takes a while, so that batches overlap. */
const LARGE_BATCH = 200;
/** Concurrent batches with the same ids. */
const BATCHES_PER_ROUND = 4;

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const servers = await Promise.all([startTrialServer(database.url), startTrialServer(database.url)]);
  for (const server of servers) onCleanup(() => killServer(server));
  const [{ url }] = servers;
  const tenants = await Promise.all([
    newTenant(url, database.url, LARGE_PLAN),
    newTenant(url, database.url, LARGE_PLAN),
  ]);

  const statuses = new Tally();
  const violations = new Tally<string>();
  /** The ids of each round, sent by one user or raced for by two. */
  const rounds: { ids: string[]; isRace: boolean }[] = [];
  let version = 0;
  let startedRounds = 0;
  const workers = Array.from({ length: CONCURRENCY }, async () => {
    while (startedRounds < ROUNDS) {
      startedRounds += 1;
      const isRace = startedRounds % 2 === 0;
      const ids = Array.from({ length: startedRounds % 20 < 2 ? LARGE_BATCH : 2 }, () => randomUUID());
      rounds.push({ ids, isRace });
      const [one, other] = isRace ? tenants : [tenants[0], tenants[0]];
      const expectedCount = ids.length * (isRace ? BATCHES_PER_ROUND / 2 : BATCHES_PER_ROUND);
      await cross(ids, one, other, expectedCount);
      // The second time, the ids exist, so the server locks existing rows.
      await cross(ids, one, other, expectedCount);
    }
  });
  await Promise.all(workers);

  const stored = Map.groupBy(await readStored(database.url), (trace) => trace.id);
  for (const { ids, isRace } of rounds) {
    const traces = ids.flatMap((id) => stored.get(id) ?? []);
    if (traces.length !== ids.length) violations.add("trace lost or stored twice");
    if (traces.some((trace) => !trace.isComplete)) violations.add("partial trace");
    if (!isRace && new Set(traces.map((trace) => trace.version)).size > 1) violations.add("batches mixed");
  }
  if ((await countOrphans(database.url)) > 0) violations.add("orphaned rows");
  for (const wrong of await findWrongTotals(database.url)) violations.add(`stored total wrong: ${wrong}`);
  for (const { user } of tenants) {
    const [usage] = await select<{ used: number; traces: string }>(
      database.url,
      `select sessions_used as used, (select count(*) from traces where workspace_id = '${user.workspaceId}') as traces
       from subscriptions where workspace_id = '${user.workspaceId}'`,
    );
    if (usage?.used !== Number(usage?.traces))
      violations.add(`sessionsUsed ${usage?.used}, not ${usage?.traces}`);
  }
  // PostgreSQL reports statistics of a connection when it closes, otherwise with a delay.
  for (const server of servers) await killServer(server);
  await sleep(1_000);
  const [statistics] = await select<{ deadlocks: string }>(
    database.url,
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  console.log(
    `${ROUNDS} rounds, ${stored.size} ids: responses ${statuses}; violations ${violations}; deadlocks ${statistics?.deadlocks}`,
  );
  return statuses.isOnly(200) && violations.isOnly() && statistics?.deadlocks === "0";

  /** Sends batches with the same ids in different orders at once, half of them to each server. */
  async function cross(ids: string[], one: Tenant, other: Tenant, expectedCount: number) {
    const requests = Array.from({ length: BATCHES_PER_ROUND }, (_, i) => {
      const order = ids.length === 2 ? (i % 2 === 0 ? ids : ids.toReversed()) : shuffle(ids);
      return send(servers[i % 2 === 0 ? 0 : 1], i % 2 === 0 ? one : other, order);
    });
    const counts = await Promise.all(requests);
    if (counts.reduce((sum, count) => sum + count, 0) !== expectedCount)
      violations.add("a trace was skipped or counted twice");
  }

  async function send(server: ServerProcess, { key }: Tenant, ids: string[]): Promise<number> {
    version += 1;
    const sentVersion = version;
    const body = JSON.stringify({ traces: ids.map((id) => traceAt(id, sentVersion)) });
    const response = await postBatch(server.url, key, body).catch(describeConnectionError);
    statuses.add(typeof response === "string" ? response : response.status);
    return typeof response === "string" ? 0 : Number(/"count":(\d+)/.exec(response.text)?.[1]);
  }
});

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
