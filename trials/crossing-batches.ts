// Batches that cross, [A,B] against [B,A] and larger shuffled ones, over two servers: of one user, who sends new ids
// and then the same ones again, and of two users who race for the same new ids. The figure: every answer is 200,
// nothing is lost, no batch ends up mixed with the one it crossed, and PostgreSQL had no deadlock to break: the service
// would retry it unseen, but locks taken in one order never form a ring.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerProcess } from "@whytrace/testing/server-process.ts";
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
import { countOrphans, findWrongTotals, readStored, traceAt } from "./versioned-trace.ts";

const ROUNDS = Number(process.argv[2] ?? 5_000);
/** Rounds under way at once. */
const LANES = 2;
/** Large enough that claiming its ids takes a while, or nothing would be crossed. */
const LARGE_BATCH = 200;
/** Batches of the same ids at once. */
const CROSSING = 4;

await runTrial(async (atEnd) => {
  const database = await createTrialDatabase();
  atEnd(() => database.drop());
  const servers = await Promise.all([startTrialServer(database.url), startTrialServer(database.url)]);
  for (const server of servers) atEnd(() => killServer(server));
  const [{ url }] = servers;
  const tenants = await Promise.all([
    newTenant(url, database.url, LARGE_PLAN),
    newTenant(url, database.url, LARGE_PLAN),
  ]);

  const statuses = new Tally();
  const faults = new Tally<string>();
  /** Batches that were only ever sent whole, by one user or by two. */
  const rounds: { ids: string[]; isRace: boolean }[] = [];
  let version = 0;
  let begun = 0;
  const lanes = Array.from({ length: LANES }, async () => {
    while (begun < ROUNDS) {
      begun += 1;
      const isRace = begun % 2 === 0;
      const ids = Array.from({ length: begun % 20 < 2 ? LARGE_BATCH : 2 }, () => randomUUID());
      rounds.push({ ids, isRace });
      const [one, other] = isRace ? tenants : [tenants[0], tenants[0]];
      const expectedCount = ids.length * (isRace ? CROSSING / 2 : CROSSING);
      await cross(ids, one, other, expectedCount);
      // The second time nothing is new: the rows are locked that are there.
      await cross(ids, one, other, expectedCount);
    }
  });
  await Promise.all(lanes);

  const stored = Map.groupBy(await readStored(database.url), (trace) => trace.id);
  for (const { ids, isRace } of rounds) {
    const traces = ids.flatMap((id) => stored.get(id) ?? []);
    if (traces.length !== ids.length) faults.add("trace lost or stored twice");
    if (traces.some((trace) => !trace.isWhole)) faults.add("partial trace");
    if (!isRace && new Set(traces.map((trace) => trace.version)).size > 1) faults.add("batches mixed");
  }
  if ((await countOrphans(database.url)) > 0) faults.add("orphaned rows");
  for (const wrong of await findWrongTotals(database.url)) faults.add(`kept total wrong: ${wrong}`);
  for (const { user } of tenants) {
    const [usage] = await select<{ used: number; traces: string }>(
      database.url,
      `select sessions_used as used, (select count(*) from traces where user_id = '${user.id}') as traces
       from subscriptions where user_id = '${user.id}'`,
    );
    if (usage?.used !== Number(usage?.traces))
      faults.add(`sessionsUsed ${usage?.used}, not ${usage?.traces}`);
  }
  // A connection reports what it met when it ends, else with a delay.
  for (const server of servers) await killServer(server);
  await sleep(1_000);
  const [statistics] = await select<{ deadlocks: string }>(
    database.url,
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  console.log(
    `${ROUNDS} rounds, ${stored.size} ids: answers ${statuses}; faults ${faults}; deadlocks ${statistics?.deadlocks}`,
  );
  return statuses.isOnly(200) && faults.isOnly() && statistics?.deadlocks === "0";

  /** Batches of the same ids in different orders, all at once, half of them through each server. */
  async function cross(ids: string[], one: Tenant, other: Tenant, expectedCount: number) {
    const sends = Array.from({ length: CROSSING }, (_, i) => {
      const order = ids.length === 2 ? (i % 2 === 0 ? ids : ids.toReversed()) : shuffle(ids);
      return send(servers[i % 2 === 0 ? 0 : 1], i % 2 === 0 ? one : other, order);
    });
    const counts = await Promise.all(sends);
    if (counts.reduce((sum, count) => sum + count, 0) !== expectedCount)
      faults.add("a trace was skipped or taken twice");
  }

  async function send(server: ServerProcess, { key }: Tenant, ids: string[]): Promise<number> {
    version += 1;
    const sent = version;
    const body = JSON.stringify({ traces: ids.map((id) => traceAt(id, sent)) });
    const answer = await postBatch(server.url, key, body).catch(describeConnectionError);
    statuses.add(typeof answer === "string" ? answer : answer.status);
    return typeof answer === "string" ? 0 : Number(/"count":(\d+)/.exec(answer.text)?.[1]);
  }
});

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
