// Sends hostile OTLP: deep, wide, cut off, mutated, compressed without end, with spans that contradict each other. First
// decodes, maps and derives mutated requests in this process, then sends requests to a server. Passes if nothing throws,
// every response is the expected one and none a 5xx, other requests wait less than 200 ms, and the server survives below
// 1 GiB.
import { parseArgs } from "node:util";
import { Random } from "@whytrace/demo";
import { encodeOtlp } from "@whytrace/testing/otlp/otlp-encoder.ts";
import { agentRun, otlpTraces } from "@whytrace/testing/otlp/otlp-samples.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
  Tally,
  type Tenant,
} from "@whytrace/testing/trial.ts";
import {
  hostileRequests,
  JSON_TYPE,
  newTraceId,
  PROTOBUF,
  protobufRequest,
} from "../support/hostile-otlp-requests.ts";
import { mutateBytes } from "../support/mutate-bytes.ts";
import { otlpSeeds } from "../support/otlp-seeds.ts";
import { peakRssMib, resetPeakRss } from "../support/process-memory.ts";
import { postRaw, type RawRequest } from "../support/raw-request.ts";
import { StallProbe } from "../support/stall-probe.ts";
import { OtlpFuzzer } from "./fuzz-otlp.ts";

const { values } = parseArgs({
  options: {
    mutations: { type: "string", default: "1000000" },
    requests: { type: "string", default: "5000" },
  },
});
const MUTATIONS = Number(values.mutations);
const REQUESTS = Number(values.requests);
const CONNECTIONS = 8;
const MAX_STALL_MS = 200;
const MAX_RSS_MIB = 1_024;

await runTrial(async (onCleanup) => {
  const failures: string[] = [];
  const seeds = otlpSeeds();
  const fuzzer = new OtlpFuzzer(seeds);
  await fuzzer.run(MUTATIONS);
  console.log(
    `${MUTATIONS} mutations of ${seeds.traces.length + seeds.logs.length} requests in this process: ${fuzzer}`,
  );
  failures.push(...fuzzer.failures);

  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const pid = server.child.pid ?? 0;
  const tenant = await newTenant(server.url, database.url, LARGE_PLAN);
  const other = await newTenant(server.url, database.url, LARGE_PLAN);
  const probe = new StallProbe(server.url);
  onCleanup(() => probe.stop());

  for (const { name, request, status, stored } of hostileRequests()) {
    await measure(name, async () => {
      const response = await post(tenant, request);
      if (response.status !== status)
        failures.push(`${name}: ${status} expected, got ${response.status} ${printable(response.text)}`);
      return `${response.status} ${printable(response.text)}`;
    });
    if (stored)
      await measure(`${name}, read back`, async () => {
        await expectSpans(name, stored.traceId, stored.spans);
        return `${stored.spans} spans`;
      });
  }
  await measure("spans that contradict each other", sendContradictions);
  await measure("another user's trace", sendForeign);
  await measure("cut off at every byte", () => sendAll(cutAtEveryByte()));
  await measure(`${REQUESTS} mutations`, () => sendAll(mutations()));
  if (server.child.exitCode !== null || server.child.signalCode !== null) failures.push("the process died");
  console.log(failures.length === 0 ? "no failures" : `failures:\n  ${failures.slice(0, 30).join("\n  ")}`);
  return failures.length === 0;

  function post({ key }: Tenant, request: RawRequest) {
    return postRaw(server.url, key, { path: "/v1/traces", ...request });
  }

  async function measure(name: string, work: () => Promise<string>) {
    resetPeakRss(pid);
    const startedAt = performance.now();
    const { result, stall } = await probe.during(work);
    const tookMs = performance.now() - startedAt;
    const peakMib = peakRssMib(pid);
    console.log(
      `${name}: ${result}; ${tookMs.toFixed(0)} ms, stall ${stall.worstMs.toFixed(0)} ms (of the probe itself ${stall.ownMs.toFixed(0)}), peak RSS ${peakMib.toFixed(0)} MiB`,
    );
    if (stall.worstMs > MAX_STALL_MS) failures.push(`${name}: stall ${stall.worstMs.toFixed(0)} ms`);
    if (peakMib > MAX_RSS_MIB) failures.push(`${name}: ${peakMib.toFixed(0)} MiB`);
  }

  async function expectSpans(name: string, traceId: string, count: number) {
    const { status, json } = await tenant.user.get(`/api/traces/${traceId}`);
    if (status !== 200 || json.spans.length !== count)
      failures.push(`${name}: ${count} spans expected, read ${status} ${json?.spans?.length}`);
  }

  /** Spans that change their parents from request to request, in loops, some twice in one request. */
  async function sendContradictions(): Promise<string> {
    const traceId = newTraceId();
    const spans = agentRun(traceId, 40);
    const statuses = new Tally();
    for (let turn = 0; turn < 100; turn += 1) {
      const changed = spans.map((span, index) => ({
        ...span,
        parentSpanId: spans[(index * 7 + turn) % spans.length]?.spanId ?? "",
      }));
      const some = changed.filter((_, index) => (index + turn) % 5 === 0);
      const { status } = await post(
        tenant,
        protobufRequest(turn % 10 === 0 ? [...changed, ...changed] : some),
      );
      statuses.add(status);
    }
    if (!statuses.isOnly(200)) failures.push(`spans that contradict each other: ${statuses}`);
    await expectSpans("spans that contradict each other", traceId, spans.length);
    return String(statuses);
  }

  async function sendForeign(): Promise<string> {
    const traceId = newTraceId();
    const spans = agentRun(traceId, 5);
    await post(tenant, protobufRequest(spans.slice(0, 2)));
    const before = await tenant.user.get(`/api/traces/${traceId}`);
    const { status, text } = await post(other, protobufRequest(spans));
    const after = await tenant.user.get(`/api/traces/${traceId}`);
    if (status !== 200 || text === "") failures.push(`another user's trace: ${status} ${printable(text)}`);
    if (before.text !== after.text) failures.push("another user changed the trace");
    return `${status} ${printable(text)}`;
  }

  /** Each request is accepted or refused, and nothing else. */
  async function sendAll(requests: Generator<RawRequest>): Promise<string> {
    const statuses = new Tally();
    const send = async () => {
      for (let next = requests.next(); !next.done; next = requests.next()) {
        const { status, text } = await post(tenant, next.value);
        statuses.add(status);
        if (status !== 200 && status !== 400) failures.push(`${status} ${printable(text)}`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, send));
    return String(statuses);
  }

  function* cutAtEveryByte(): Generator<RawRequest> {
    const body = encodeOtlp(otlpTraces(agentRun(newTraceId(), 4)));
    for (let length = 0; length <= body.length; length += 1)
      yield { body: body.subarray(0, length), headers: PROTOBUF };
  }

  function* mutations(): Generator<RawRequest> {
    for (let index = 0; index < REQUESTS; index += 1) {
      const random = new Random(index);
      const path = random.pick(["/v1/traces", "/v1/traces", "/v1/logs", "/v1/logs", "/v1/metrics"]);
      const list = path === "/v1/logs" ? seeds.logs : seeds.traces;
      const seed = list[random.between(0, list.length - 1)];
      if (!seed) throw new Error("no seeds");
      const isJson = random.chance(0.5);
      const body = mutateBytes(random, isJson ? seed.json : seed.protobuf);
      yield { body, path, headers: isJson ? JSON_TYPE : PROTOBUF };
    }
  }
});

/** Protobuf responses contain a few bytes that are no text. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "").slice(0, 160);
}
