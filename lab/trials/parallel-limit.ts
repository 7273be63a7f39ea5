// A user with 20 traces left in the plan sends 200 concurrent requests with one new trace each over two servers: FREE with
// a daily limit of 20, PRO with 20 left in the month. Passes if exactly 20 are stored with 200, and 180 get 429.
import { randomUUID } from "node:crypto";
import {
  createTrialDatabase,
  describeConnectionError,
  killServer,
  newTenant,
  type Plan,
  postBatch,
  runTrial,
  select,
  startTrialServer,
  Tally,
} from "@whytrace/testing/trial.ts";
import { traceAt } from "./support/versioned-trace.ts";

const USERS = 5;
const POSTS = 200;
const LEFT = 20;
const PLANS: Plan[] = [
  { tier: "FREE", sessionsLimit: LEFT },
  { tier: "PRO", sessionsLimit: 1_000, sessionsUsed: 1_000 - LEFT },
];

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const servers = await Promise.all([startTrialServer(database.url), startTrialServer(database.url)]);
  for (const server of servers) onCleanup(() => killServer(server));
  const [{ url }] = servers;

  let hasPassed = true;
  for (const plan of PLANS)
    for (let i = 0; i < USERS; i += 1) {
      const { user, key } = await newTenant(url, database.url, plan);
      const statuses = new Tally();
      const startedAt = performance.now();
      await Promise.all(
        Array.from({ length: POSTS }, async (_, post) => {
          const server = servers[post % 2 === 0 ? 0 : 1];
          const body = JSON.stringify({ traces: [traceAt(randomUUID(), post)] });
          const response = await postBatch(server.url, key, body).catch(describeConnectionError);
          statuses.add(typeof response === "string" ? response : response.status);
        }),
      );
      const tookMs = performance.now() - startedAt;
      const [stored] = await select<{ traces: string; used: number }>(
        database.url,
        `select (select count(*) from traces where workspace_id = '${user.workspaceId}') as traces, sessions_used as used
         from subscriptions where workspace_id = '${user.workspaceId}'`,
      );
      const used = plan.tier === "FREE" ? 0 : plan.sessionsLimit;
      hasPassed &&= statuses.count(200) === LEFT && statuses.count(429) === POSTS - LEFT;
      hasPassed &&= Number(stored?.traces) === LEFT && stored?.used === used;
      console.log(
        `${plan.tier}: ${POSTS} posts, ${LEFT} left: ${statuses}; ${stored?.traces} stored, sessionsUsed ${stored?.used}; ${tookMs.toFixed(0)} ms`,
      );
    }
  return hasPassed;
});
