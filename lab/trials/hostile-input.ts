// Sends hostile bodies: deep, wide, huge, compressed, slow, or with values that PostgreSQL or JavaScript cannot
// represent. Passes if every response is the one in the contract and never a 5xx, accepted payloads read back unchanged,
// the event loop never stalls for more than 200 ms, and the process survives. Then sends many 10 MiB bodies at once: each
// response must be 200, 429 or 503, with less than 1 GiB of memory.
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerProcess } from "@whytrace/testing/server/server-process.ts";
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
import { largeBodies, MIB, randomText } from "./large-bodies.ts";
import { smallBodies } from "./small-bodies.ts";
import { batchWith, tinyTraces } from "./support/hostile-bodies.ts";
import { peakRssMib, resetPeakRss, rssMib } from "./support/process-memory.ts";
import { postRaw } from "./support/raw-request.ts";
import { type Stall, StallProbe } from "./support/stall-probe.ts";

const MAX_STALL_MS = 200;
const MAX_RSS_MIB = 1_024;
const BURST_SIZE = 50;
const SLOW_CLIENTS = 12;
const MAX_OTHER_TENANT_MS = 1_000;

interface Burst {
  name: string;
  body(id: string): string;
  allowed: number[];
}

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const failures: string[] = [];

  const startServer = async () => {
    const server = await startTrialServer(database.url);
    onCleanup(() => killServer(server));
    return server;
  };
  const server = await startServer();
  const tenant = await newTenant(server.url, database.url, LARGE_PLAN);
  const probe = new StallProbe(server.url);
  onCleanup(() => probe.stop());

  await sendLargeBodies(server, tenant, probe);
  await sendSmallBodies(server, tenant, probe);
  await sendSlowBodies(server, tenant, await newTenant(server.url, database.url, LARGE_PLAN), probe);
  if (!isAlive(server)) failures.push("the process died");
  await probe.stop();
  await killServer(server);
  const text = randomText(10 * MIB - 1_000);
  const bursts: Burst[] = [
    {
      name: "10 MiB of text",
      body: (id) => batchWith(id, ["trace", "metadata"], text),
      allowed: [200, 429, 503],
    },
    {
      name: "80,000 tiny traces",
      body: (id) => tinyTraces(id.slice(0, 8), 80_000),
      allowed: [200, 429, 503],
    },
    { name: "11 MiB", body: () => " ".repeat(11 * MIB), allowed: [413] },
  ];
  for (const burst of bursts) {
    const fresh = await startServer();
    await sendBurst(burst, fresh, tenant.key);
    await killServer(fresh);
  }
  console.log(
    failures.length === 0 ? "every response as in the contract" : `failures:\n  ${failures.join("\n  ")}`,
  );
  return failures.length === 0;

  async function sendLargeBodies({ url, child }: ServerProcess, { user, key }: Tenant, probe: StallProbe) {
    const pid = child.pid ?? 0;
    const id = randomUUID();
    for await (const { name, body, headers, status, responseText, storedText } of largeBodies(id)) {
      resetPeakRss(pid);
      const beforeMib = rssMib(pid);
      const startedAt = performance.now();
      const request = { body, ...(headers && { headers }) };
      const { result, stall } = await probe.during(() => postRaw(url, key, request));
      const tookMs = performance.now() - startedAt;
      report(
        name,
        `${result.status} in ${tookMs.toFixed(0)} ms, peak RSS ${peakRssMib(pid).toFixed(0)} MiB (+${(peakRssMib(pid) - beforeMib).toFixed(0)})`,
        stall,
      );
      if (result.status !== status || !result.text.includes(responseText ?? ""))
        failures.push(
          `${name}: ${status} ${responseText ?? ""} expected, got ${result.status} ${result.text.slice(0, 200)}`,
        );
      if (storedText && result.status === 200) {
        const read = await probe.during(() => user.get(`/api/traces/${id}`));
        report(`${name}, read back`, String(read.result.status), read.stall);
        if (!read.result.text.includes(storedText)) failures.push(`${name}: read back differs`);
      }
    }
  }

  async function sendSmallBodies({ url }: ServerProcess, { user, key }: Tenant, probe: StallProbe) {
    const groups = new Tally<string>();
    const { stall } = await probe.during(async () => {
      for (const { group, name, traceId, body, status, storedText } of smallBodies(randomUUID())) {
        groups.add(group);
        // The second request replaces the stored trace, which takes another code path.
        for (const time of ["new", "again"]) {
          const response = await postRaw(url, key, { body });
          if (response.status !== status)
            failures.push(
              `${group}, ${name}, ${time}: ${status} expected, got ${response.status} ${response.text}`,
            );
          if (storedText === undefined || response.status !== 200) continue;
          const read = await user.get(`/api/traces/${encodeURIComponent(idOf(body) ?? traceId)}`);
          if (!read.text.includes(storedText))
            failures.push(`${group}, ${name}, ${time}: read back differs: ${read.text.slice(0, 300)}`);
        }
      }
    });
    report("small bodies, each sent twice", `${groups}`, stall);
  }

  /** Many connections that announce 10 MiB and send a few bytes per second must not delay other tenants. */
  async function sendSlowBodies({ url }: ServerProcess, slow: Tenant, other: Tenant, probe: StallProbe) {
    const body = Buffer.from(batchWith(randomUUID(), ["trace", "name"], '"slow"'));
    const inTime = await postRaw(url, slow.key, { body: Readable.from(trickle(body, 3_000)) });
    if (inTime.status !== 200) failures.push(`a body sent within 3 s: 200 expected, got ${inTime.status}`);

    const statuses = new Tally();
    const endless = Buffer.alloc(10 * MIB, " ");
    const startedAt = performance.now();
    const headers = { "content-length": String(endless.length) };
    const slowRequests = Array.from({ length: SLOW_CLIENTS }, async () => {
      const { status } = await postRaw(url, slow.key, {
        body: Readable.from(trickle(endless, 1e9)),
        headers,
      });
      statuses.add(status);
    });
    await sleep(1_000);
    let slowestMs = 0;
    const { stall } = await probe.during(async () => {
      for (let i = 0; i < 20; i += 1) {
        const sentAt = performance.now();
        const { status } = await postBatch(
          url,
          other.key,
          batchWith(randomUUID(), ["trace", "name"], '"other"'),
        );
        slowestMs = Math.max(slowestMs, performance.now() - sentAt);
        if (status !== 200) {
          failures.push(`beside ${SLOW_CLIENTS} slow bodies another user's post got ${status}, 200 expected`);
          break;
        }
      }
    });
    await Promise.all(slowRequests);
    const tookS = (performance.now() - startedAt) / 1_000;
    report(
      `${SLOW_CLIENTS} endless bodies`,
      `ended with ${statuses} after ${tookS.toFixed(0)} s; another user's slowest post ${slowestMs.toFixed(0)} ms`,
      stall,
    );
    if (slowestMs > MAX_OTHER_TENANT_MS)
      failures.push(`beside ${SLOW_CLIENTS} slow bodies another user waited ${slowestMs.toFixed(0)} ms`);
    if (!statuses.isOnly(408, 503)) failures.push(`endless bodies: 408 or 503 expected, got ${statuses}`);
    if (tookS > 70) failures.push(`endless bodies were read for ${tookS.toFixed(0)} s`);
  }

  async function sendBurst({ name, body, allowed }: Burst, { url, child }: ServerProcess, key: string) {
    const statuses = new Tally();
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: BURST_SIZE }, async () => {
        const { status } = await postRaw(url, key, { body: body(randomUUID()) });
        statuses.add(status || "no response");
      }),
    );
    const tookS = (performance.now() - startedAt) / 1_000;
    if (!isAlive({ child })) return void failures.push(`${BURST_SIZE} bodies of ${name}: the process died`);
    const peakMib = peakRssMib(child.pid ?? 0);
    console.log(
      `${BURST_SIZE} bodies of ${name} at once: ${statuses}; peak RSS ${peakMib.toFixed(0)} MiB; ${tookS.toFixed(1)} s`,
    );
    if (peakMib > MAX_RSS_MIB) failures.push(`${BURST_SIZE} bodies of ${name}: ${peakMib.toFixed(0)} MiB`);
    if (!statuses.isOnly(...allowed))
      failures.push(`${BURST_SIZE} bodies of ${name}: ${allowed.join(" or ")} expected, got ${statuses}`);
  }

  function report(name: string, summary: string, { worstMs, ownMs }: Stall) {
    console.log(
      `${name}: ${summary}; stall ${worstMs.toFixed(0)} ms (of the probe itself ${ownMs.toFixed(0)})`,
    );
    if (worstMs > MAX_STALL_MS) failures.push(`${name}: stall ${worstMs.toFixed(0)} ms`);
  }
});

/** Yields the bytes in small chunks, spread over the given time. */
async function* trickle(bytes: Buffer, durationMs: number) {
  const pauseMs = Math.min(200, Math.max(20, durationMs / bytes.length));
  const step = Math.ceil((bytes.length * pauseMs) / durationMs);
  for (let at = 0; at < bytes.length; at += step) {
    yield bytes.subarray(at, at + step);
    await sleep(pauseMs);
  }
}

function isAlive({ child }: Pick<ServerProcess, "child">): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** The id of the trace in the body. */
function idOf(body: string | Buffer): string | undefined {
  return /"traces":\[\{"id":"([^"]*)"/.exec(String(body))?.[1];
}
