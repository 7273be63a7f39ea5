// Sends captured OTLP requests again and again, each time under new trace ids, in another order, split and repeated in
// another way, over two servers, some requests at the same time. Passes if every trace is the same as when its requests came
// as they were captured.
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { encodeOtlp } from "@whytrace/testing/otlp/otlp-encoder.ts";
import { postOtlp } from "@whytrace/testing/otlp/post-otlp.ts";
import { Client } from "@whytrace/testing/server/client.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
  type Tenant,
} from "@whytrace/testing/trial.ts";

const { positionals } = parseArgs({ allowPositionals: true });
const SHUFFLES = Number(positionals[0] ?? 2_000);
const CAPTURES = new URL("../../../../shared/otlp/fixtures/", import.meta.url);
const TENANTS = 4;

interface Capture {
  name: string;
  traceIds: string[];
  /** Requests with one span each. */
  singles: object[];
}

interface SpanJson {
  traceId: string;
}

function readCapture(name: string): Capture {
  const folder = new URL(`${name}/`, CAPTURES);
  const singles: object[] = [];
  const traceIds = new Set<string>();
  for (const file of readdirSync(folder)
    .filter((path) => /^request-\d+\.json$/.test(path))
    .sort())
    for (const resource of JSON.parse(readFileSync(new URL(file, folder), "utf8")).resourceSpans)
      for (const scope of resource.scopeSpans)
        for (const span of scope.spans satisfies SpanJson[]) {
          traceIds.add(span.traceId);
          singles.push({ resourceSpans: [{ ...resource, scopeSpans: [{ ...scope, spans: [span] }] }] });
        }
  return { name, traceIds: [...traceIds], singles };
}

/** A small generator of pseudo-random numbers (mulberry32), so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The requests in another order, some twice, in requests of one to four spans; sometimes reversed. */
function shuffle(singles: object[], random: () => number): Buffer[] {
  const isReversed = random() < 0.2;
  const repeated = singles.filter(() => random() < 0.2);
  const spans = [...singles, ...repeated].map((single) => ({ single, key: random() }));
  if (!isReversed) spans.sort((a, b) => a.key - b.key);
  else spans.reverse();
  const requests: Buffer[] = [];
  for (let at = 0; at < spans.length; ) {
    const size = 1 + Math.floor(random() * 4);
    // Messages that follow each other are one message: their repeated fields are joined.
    requests.push(Buffer.concat(spans.slice(at, at + size).map(({ single }) => encodeOtlp(single))));
    at += size;
  }
  return requests;
}

function withIds(requests: Buffer[], ids: ReadonlyMap<string, string>): Buffer[] {
  for (const bytes of requests)
    for (const [captured, id] of ids)
      for (let at = bytes.indexOf(captured, 0, "hex"); at >= 0; at = bytes.indexOf(captured, at + 1, "hex"))
        bytes.write(id, at, "hex");
  return requests;
}

/** A stored trace without what differs between two copies of it, its children in the order of their ids. */
function canonical(text: string, traceId: string): string {
  const { createdAt: _createdAt, userId: _userId, ...trace } = JSON.parse(text.replaceAll(traceId, "trace"));
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  for (const kind of ["spans", "decisionPoints", "events"]) trace[kind].sort(byId);
  return JSON.stringify(trace);
}

await runTrial(async (onCleanup) => {
  if (!existsSync(CAPTURES)) {
    console.log("There are no captured requests beside the repository: skipped.");
    return true;
  }
  const database = await createTrialDatabase();
  onCleanup(database.drop);
  const servers = [await startTrialServer(database.url), await startTrialServer(database.url)];
  for (const server of servers) onCleanup(() => killServer(server));
  const urls = servers.map(({ url }) => url);
  const tenants: Tenant[] = [];
  for (let n = 0; n < TENANTS; n += 1) tenants.push(await newTenant(urls[0] ?? "", database.url, LARGE_PLAN));
  const captures = readdirSync(CAPTURES).sort().map(readCapture);

  const deliver = async (
    { name, traceIds, singles }: Capture,
    tenant: Tenant,
    random: () => number,
    isShuffled: boolean,
  ): Promise<string[]> => {
    const ids = new Map(traceIds.map((id) => [id, randomBytes(16).toString("hex")]));
    const requests = isShuffled
      ? shuffle(singles, random)
      : [Buffer.concat(singles.map((one) => encodeOtlp(one)))];
    const waiting: Promise<void>[] = [];
    for (const body of withIds(requests, ids)) {
      const url = urls[Math.floor(random() * urls.length)] ?? "";
      const sent = postOtlp(url, tenant.key, body).then(({ status, body: answer }) => {
        if (status !== 200 || answer.length > 0) throw new Error(`${name}: ${status} ${answer}`);
      });
      if (random() < 0.5) await sent;
      else waiting.push(sent);
    }
    await Promise.all(waiting);
    const reader = new Client(urls[0] ?? "", tenant.user.cookie);
    return Promise.all(
      [...ids.values()].map(async (id) => canonical((await reader.get(`/api/traces/${id}`)).text, id)),
    );
  };

  const references = new Map<string, string[]>();
  let different = 0;
  let traces = 0;
  for (let seed = 0; seed < captures.length + SHUFFLES; seed += 1) {
    const capture = captures[seed % captures.length];
    const tenant = tenants[seed % tenants.length];
    if (!capture || !tenant) throw new Error("nothing to send");
    const reference = references.get(capture.name);
    const stored = await deliver(capture, tenant, seeded(seed), reference !== undefined);
    if (!reference) {
      references.set(capture.name, stored);
      continue;
    }
    traces += stored.length;
    for (const [index, trace] of stored.entries())
      if (trace !== reference[index]) {
        different += 1;
        if (different <= 3) console.log(`seed ${seed}, ${capture.name}:\n${trace}\n${reference[index]}`);
      }
  }
  console.log(
    `${SHUFFLES} shuffles of ${captures.length} captures, ${traces} traces: ${different} different`,
  );
  return different === 0;
});
