// Measures the memory of 500 open event streams and how much they slow down ingest. Passes if both stay below their
// limits and every stream receives every change.
import { once } from "node:events";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "@whytrace/testing/percentile.ts";
import { trace } from "@whytrace/testing/samples/sample-traces.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  postBatch,
  runTrial,
  startTrialServer,
  type Tenant,
} from "@whytrace/testing/trial.ts";
import { rssMib } from "./support/process-memory.ts";

const TENANTS = 100;
const STREAMS = 500;
const ROUNDS = Number(process.argv[2] ?? 4);
const POSTS = 1_500;
const SENDERS = 4;
const MAX_GROWTH_MIB = 100;
const MAX_RATIO = 1.2;

/** Reads an event stream like a browser and records the ids it receives. */
class Stream {
  readonly ids = new Set<string>();
  readonly #request: ClientRequest;

  private constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request;
    let text = "";
    response.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (text + chunk).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines.filter((one) => one.startsWith('data: {"traces"')))
        for (const { id } of JSON.parse(line.slice(6)).traces) this.ids.add(id);
    });
  }

  static async open(url: string, cookie: string): Promise<Stream> {
    const request = get(`${url}/api/stream`, { agent: false, headers: { cookie } });
    const [response] = await once(request, "response");
    if (response.statusCode !== 200) throw new Error(`stream responded with ${response.statusCode}`);
    return new Stream(request, response);
  }

  close() {
    this.#request.on("error", () => {}).destroy();
  }
}

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(database.drop);
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const pid = server.child.pid ?? 0;
  const tenants: Tenant[] = [];
  for (let i = 0; i < TENANTS; i += 1) tenants.push(await newTenant(server.url, database.url, LARGE_PLAN));

  await post(server.url, tenants);
  const times: Record<"without" | "with", number[]> = { without: [], with: [] };
  let growthMib = 0;
  let missed = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    times.without.push(...(await post(server.url, tenants)).timesMs);
    const before = rssMib(pid);
    const streams = await openStreams(server.url, tenants);
    await sleep(1_000);
    growthMib = Math.max(growthMib, rssMib(pid) - before);
    const posted = await post(server.url, tenants);
    times.with.push(...posted.timesMs);
    growthMib = Math.max(growthMib, rssMib(pid) - before);
    await sleep(1_000);
    for (const [tenant, own] of streams)
      for (const stream of own)
        for (const id of posted.ids.get(tenant) ?? []) if (!stream.ids.has(id)) missed += 1;
    for (const stream of [...streams.values()].flat()) stream.close();
    await sleep(500);
  }
  const [without, withStreams] = [times.without, times.with].map(describe);
  const ratio = percentile(times.with, 0.99) / percentile(times.without, 0.99);
  console.log(
    `${STREAMS} streams of ${TENANTS} users, ${ROUNDS} rounds of ${POSTS} posts by ${SENDERS} senders each`,
  );
  console.log(`RSS growth ${growthMib.toFixed(0)} MiB (less than ${MAX_GROWTH_MIB})`);
  console.log(
    `a post without streams ${without}, with ${withStreams}: p99 ratio ${ratio.toFixed(2)} (maximum ${MAX_RATIO})`,
  );
  console.log(`changes received late or not at all: ${missed} of ${ROUNDS * POSTS * (STREAMS / TENANTS)}`);
  return growthMib < MAX_GROWTH_MIB && ratio <= MAX_RATIO && missed === 0;
});

async function openStreams(url: string, tenants: Tenant[]): Promise<Map<Tenant, Stream[]>> {
  const streams = new Map<Tenant, Stream[]>();
  for (const tenant of tenants)
    streams.set(
      tenant,
      await Promise.all(
        Array.from({ length: STREAMS / TENANTS }, () => Stream.open(url, tenant.user.cookie ?? "")),
      ),
    );
  return streams;
}

async function post(url: string, tenants: Tenant[]) {
  const ids = new Map<Tenant, string[]>(tenants.map((tenant) => [tenant, []]));
  const timesMs: number[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      while (next < POSTS) {
        const tenant = tenants[next++ % tenants.length];
        if (!tenant) throw new Error("no tenants");
        const one = trace();
        const body = JSON.stringify({ traces: [one] });
        const startedAt = performance.now();
        const { status } = await postBatch(url, tenant.key, body);
        timesMs.push(performance.now() - startedAt);
        if (status !== 200) throw new Error(`post responded with ${status}`);
        ids.get(tenant)?.push(one.id);
      }
    }),
  );
  return { ids, timesMs };
}

function describe(timesMs: number[]): string {
  return `p50 ${percentile(timesMs, 0.5).toFixed(1)} / p99 ${percentile(timesMs, 0.99).toFixed(1)} ms`;
}
