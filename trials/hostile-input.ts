// Bodies that are built to hurt: deep, wide, enormous, packed, slow, or full of what PostgreSQL and JavaScript cannot
// hold. The figure for each: the contract's answer and never a 5xx, what was taken comes back as sent, others are kept
// waiting less than 200 ms, and the process lives. Then many full-sized bodies at once: each answered 200 or 503, in
// less than 1 GiB.
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerProcess } from "@whytrace/testing/server-process.ts";
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
import { batchWith, tinyTraces } from "./hostile-bodies.ts";
import { largeBodies, MIB, randomText } from "./large-bodies.ts";
import { peakRssMib, resetPeakRss, rssMib } from "./process-memory.ts";
import { postRaw } from "./raw-request.ts";
import { smallBodies } from "./small-bodies.ts";
import { type Stall, StallProbe } from "./stall-probe.ts";

const STALL_MAX_MS = 200;
const RSS_MAX_MIB = 1_024;
const CROWD = 50;
const TRICKLERS = 12;
const NEIGHBOUR_MAX_MS = 1_000;

interface Crowd {
  name: string;
  body(id: string): string;
  allowed: number[];
}

await runTrial(async (atEnd) => {
  const database = await createTrialDatabase();
  atEnd(() => database.drop());
  const missed: string[] = [];

  const startServer = async () => {
    const server = await startTrialServer(database.url);
    atEnd(() => killServer(server));
    return server;
  };
  const server = await startServer();
  const tenant = await newTenant(server.url, database.url, LARGE_PLAN);
  const probe = new StallProbe(server.url);
  atEnd(() => probe.stop());

  await tryLarge(server, tenant, probe);
  await trySmall(server, tenant, probe);
  await trySlow(server, tenant, await newTenant(server.url, database.url, LARGE_PLAN), probe);
  if (!isAlive(server)) missed.push("the process died");
  await probe.stop();
  await killServer(server);
  const text = randomText(10 * MIB - 1_000);
  const crowds: Crowd[] = [
    { name: "10 MiB of text", body: (id) => batchWith(id, ["trace", "metadata"], text), allowed: [200, 503] },
    { name: "80,000 tiny traces", body: (id) => tinyTraces(id.slice(0, 8), 80_000), allowed: [200, 503] },
    { name: "11 MiB", body: () => " ".repeat(11 * MIB), allowed: [413] },
  ];
  for (const crowd of crowds) {
    const fresh = await startServer();
    await tryCrowd(crowd, fresh, tenant.key);
    await killServer(fresh);
  }
  console.log(missed.length === 0 ? "all as the contract says" : `missed:\n  ${missed.join("\n  ")}`);
  return missed.length === 0;

  async function tryLarge({ url, child }: ServerProcess, { user, key }: Tenant, probe: StallProbe) {
    const pid = child.pid ?? 0;
    const id = randomUUID();
    for await (const { name, body, headers, status, words, comesBack } of largeBodies(id)) {
      resetPeakRss(pid);
      const beforeMib = rssMib(pid);
      const began = performance.now();
      const request = { body, ...(headers && { headers }) };
      const { result, stall } = await probe.during(() => postRaw(url, key, request));
      const tookMs = performance.now() - began;
      report(
        name,
        `${result.status} in ${tookMs.toFixed(0)} ms, peak RSS ${peakRssMib(pid).toFixed(0)} MiB (+${(peakRssMib(pid) - beforeMib).toFixed(0)})`,
        stall,
      );
      if (result.status !== status || !result.text.includes(words ?? ""))
        missed.push(
          `${name}: ${status} ${words ?? ""} expected, got ${result.status} ${result.text.slice(0, 200)}`,
        );
      if (comesBack && result.status === 200) {
        const read = await probe.during(() => user.get(`/api/traces/${id}`));
        report(`${name}, read back`, String(read.result.status), read.stall);
        if (!read.result.text.includes(comesBack)) missed.push(`${name}: did not come back as sent`);
      }
    }
  }

  async function trySmall({ url }: ServerProcess, { user, key }: Tenant, probe: StallProbe) {
    const groups = new Tally<string>();
    const { stall } = await probe.during(async () => {
      for (const { group, name, traceId, body, status, comesBack } of smallBodies(randomUUID())) {
        groups.add(group);
        // The second time it replaces what is there, which takes another way into the tables.
        for (const time of ["new", "again"]) {
          const answer = await postRaw(url, key, { body });
          if (answer.status !== status)
            missed.push(
              `${group}, ${name}, ${time}: ${status} expected, got ${answer.status} ${answer.text}`,
            );
          if (comesBack === undefined || answer.status !== 200) continue;
          const read = await user.get(`/api/traces/${encodeURIComponent(idOf(body) ?? traceId)}`);
          if (!read.text.includes(comesBack))
            missed.push(`${group}, ${name}, ${time}: did not come back: ${read.text.slice(0, 300)}`);
        }
      }
    });
    report("small bodies, each sent twice", `${groups}`, stall);
  }

  /** Many connections that announce 10 MiB and send a few bytes a second must not be in anybody's way. */
  async function trySlow({ url }: ServerProcess, slow: Tenant, other: Tenant, probe: StallProbe) {
    const body = Buffer.from(batchWith(randomUUID(), ["trace", "name"], '"slow"'));
    const inTime = await postRaw(url, slow.key, { body: Readable.from(trickle(body, 3_000)) });
    if (inTime.status !== 200) missed.push(`a body over 3 s: 200 expected, got ${inTime.status}`);

    const statuses = new Tally();
    const endless = Buffer.alloc(10 * MIB, " ");
    const began = performance.now();
    const headers = { "content-length": String(endless.length) };
    const tricklers = Array.from({ length: TRICKLERS }, async () => {
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
        const sent = performance.now();
        const { status } = await postBatch(
          url,
          other.key,
          batchWith(randomUUID(), ["trace", "name"], '"other"'),
        );
        slowestMs = Math.max(slowestMs, performance.now() - sent);
        if (status !== 200) {
          missed.push(`beside ${TRICKLERS} trickled bodies another user's post got ${status}, 200 expected`);
          break;
        }
      }
    });
    await Promise.all(tricklers);
    const tookS = (performance.now() - began) / 1_000;
    report(
      `${TRICKLERS} endless bodies`,
      `ended with ${statuses} after ${tookS.toFixed(0)} s; another user's slowest post ${slowestMs.toFixed(0)} ms`,
      stall,
    );
    if (slowestMs > NEIGHBOUR_MAX_MS)
      missed.push(`beside ${TRICKLERS} trickled bodies another user waited ${slowestMs.toFixed(0)} ms`);
    if (!statuses.isOnly(408, 503)) missed.push(`endless bodies: 408 or 503 expected, got ${statuses}`);
    if (tookS > 70) missed.push(`endless bodies were listened to for ${tookS.toFixed(0)} s`);
  }

  async function tryCrowd({ name, body, allowed }: Crowd, { url, child }: ServerProcess, key: string) {
    const statuses = new Tally();
    const began = performance.now();
    await Promise.all(
      Array.from({ length: CROWD }, async () => {
        const { status } = await postRaw(url, key, { body: body(randomUUID()) });
        statuses.add(status || "no answer");
      }),
    );
    const tookS = (performance.now() - began) / 1_000;
    if (!isAlive({ child })) return void missed.push(`${CROWD} bodies of ${name}: the process died`);
    const peakMib = peakRssMib(child.pid ?? 0);
    console.log(
      `${CROWD} bodies of ${name} at once: ${statuses}; peak RSS ${peakMib.toFixed(0)} MiB; ${tookS.toFixed(1)} s`,
    );
    if (peakMib > RSS_MAX_MIB) missed.push(`${CROWD} bodies of ${name}: ${peakMib.toFixed(0)} MiB`);
    if (!statuses.isOnly(...allowed))
      missed.push(`${CROWD} bodies of ${name}: ${allowed.join(" or ")} expected, got ${statuses}`);
  }

  function report(name: string, words: string, { worstMs, ownMs }: Stall) {
    console.log(`${name}: ${words}; stall ${worstMs.toFixed(0)} ms (the probe's own ${ownMs.toFixed(0)})`);
    if (worstMs > STALL_MAX_MS) missed.push(`${name}: stall ${worstMs.toFixed(0)} ms`);
  }
});

/** All of it in so much time, a few bytes every now and then. */
async function* trickle(bytes: Buffer, tookMs: number) {
  const pauseMs = Math.min(200, Math.max(20, tookMs / bytes.length));
  const step = Math.ceil((bytes.length * pauseMs) / tookMs);
  for (let at = 0; at < bytes.length; at += step) {
    yield bytes.subarray(at, at + step);
    await sleep(pauseMs);
  }
}

function isAlive({ child }: Pick<ServerProcess, "child">): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** The id the body's trace was sent with. */
function idOf(body: string | Buffer): string | undefined {
  return /"traces":\[\{"id":"([^"]*)"/.exec(String(body))?.[1];
}
