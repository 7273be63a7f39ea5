// Three servers take 200 runs a second, of which one in ten is bad and one in twenty fails for a new reason. Measures the time from
// sending a run to the webhook and to the mail that announce its issue. Passes if all arrive and the p99 of both is at most 5 s.
import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { percentile } from "@whytrace/testing/percentile.ts";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { HookReceiver } from "@whytrace/testing/server/hook-receiver.ts";
import { Mailbox } from "@whytrace/testing/server/mailbox.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  postBatch,
  runTrial,
  startTrialServer,
  Tally,
  type Tenant,
} from "@whytrace/testing/trial.ts";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "60" } } });
const SECONDS = Number(values.seconds);
const SERVERS = 3;
/** So many that no channel gets more than it takes in a minute. */
const TENANTS = 20;
const RUNS_PER_SECOND = 200;
const RUNS_PER_REQUEST = 20;
const MAX_WAIT_MS = 60_000;
const MAX_P99_MS = 5_000;

function toRun(message: string | null) {
  const startedAt = new Date().toISOString();
  const status = message === null ? "COMPLETED" : "ERROR";
  const base = { status, startedAt, endedAt: startedAt };
  return {
    id: randomUUID(),
    name: "trial agent",
    tags: [],
    ...base,
    spans: [
      {
        id: "s",
        name: "call",
        type: "TOOL_CALL",
        ...base,
        ...(message !== null && { statusMessage: message }),
      },
    ],
    decisionPoints: [],
    events: [],
  };
}

/** Letters only: digits of a message are masked. */
const newWord = () => Array.from({ length: 14 }, () => "abcdefghijklmnop"[randomInt(16)]).join("");

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const mailbox = new Mailbox();
  const receiver = new HookReceiver();
  const origin = await receiver.listen();
  const settings = {
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
    NOTIFY_BURST: "100000/10m",
    SMTP_URL: await mailbox.listen(),
  };
  onCleanup(() => mailbox.close());
  const urls: string[] = [];
  for (let index = 0; index < SERVERS; index += 1) {
    const server = await startTrialServer(database.url, settings);
    onCleanup(() => killServer(server));
    urls.push(server.url);
  }
  const tenants: Tenant[] = [];
  for (let index = 0; index < TENANTS; index += 1) {
    const tenant = await newTenant(urls[0] ?? "", database.url, LARGE_PLAN);
    const body = { kind: "webhook", name: "ops", url: `${origin}/${index}` };
    expectStatus(await tenant.user.post("/api/alerts/channels", body), 201);
    tenants.push(tenant);
  }
  await execute(database.url, "update users set email_verified_at = now()");

  const sentAtMs = new Map<string, number>();
  const hookMs = new Map<string, number>();
  receiver.answer = ({ json }) => {
    const word = /at ([a-p]{14})/.exec(json.data.issue?.title ?? "")?.[1] ?? "";
    const sent = sentAtMs.get(word);
    if (sent !== undefined && !hookMs.has(word)) hookMs.set(word, performance.now() - sent);
    return undefined;
  };
  const statuses = new Tally();
  const requests: Promise<void>[] = [];
  const send = async (index: number) => {
    const word = newWord();
    const runs = Array.from({ length: RUNS_PER_REQUEST }, (_, at) =>
      toRun(at === 0 ? `failed at ${word}` : at === 1 ? "timeout" : null),
    );
    sentAtMs.set(word, performance.now());
    const { key } = tenants[index % TENANTS] as Tenant;
    const { status } = await postBatch(urls[index % SERVERS] ?? "", key, JSON.stringify({ traces: runs }));
    statuses.add(status);
  };
  const startedAt = performance.now();
  const intervalMs = (1_000 * RUNS_PER_REQUEST) / RUNS_PER_SECOND;
  const count = Math.round((SECONDS * 1_000) / intervalMs);
  for (let index = 0; index < count; index += 1) {
    await sleep(Math.max(0, startedAt + index * intervalMs - performance.now()));
    requests.push(send(index));
  }
  await Promise.all(requests);
  const tookSeconds = (performance.now() - startedAt) / 1_000;

  const readMails = () => {
    const mailMs = new Map<string, number>();
    for (const { subject, receivedAtMs } of mailbox.mails) {
      const word = /at ([a-p]{14})/.exec(subject ?? "")?.[1] ?? "";
      const sent = sentAtMs.get(word);
      if (sent !== undefined && !mailMs.has(word)) mailMs.set(word, receivedAtMs - sent);
    }
    return mailMs;
  };
  const deadline = performance.now() + MAX_WAIT_MS;
  while (performance.now() < deadline && Math.min(hookMs.size, readMails().size) < sentAtMs.size)
    await sleep(200);
  const describe = (name: string, times: ReadonlyMap<string, number>) => {
    const all = [...times.values()];
    const [p50, p99] = [percentile(all, 0.5), percentile(all, 0.99)];
    console.log(
      `${name}: ${all.length} of ${sentAtMs.size}, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, max ${Math.max(...all).toFixed(0)} ms`,
    );
    return all.length === sentAtMs.size && p99 <= MAX_P99_MS;
  };
  console.log(
    `${count * RUNS_PER_REQUEST} runs in ${tookSeconds.toFixed(0)} s over ${SERVERS} servers, ${TENANTS} workspaces; responses ${statuses}`,
  );
  const results = [describe("webhook", hookMs), describe("mail", readMails())];
  return statuses.isOnly(200) && results.every(Boolean);
});
