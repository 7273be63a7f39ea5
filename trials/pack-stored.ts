// Sends a million payloads that a JSON parser would change, and compares every byte after each way in which they are
// stored: packed, packed again while their traces run, moved back into rows, packed by the worker. Then kills the server
// with SIGKILL while it moves payloads back and forth and writers replace their traces. Passes if nothing is lost, changed
// or stored twice.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort } from "@whytrace/testing/free-port.ts";
import { type ServerProcess, startServerProcess } from "@whytrace/testing/server-process.ts";
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
import { UNLIMITED } from "@whytrace/testing/unlimited.ts";
import { countWrongPayloads, oddBody, oddTraceId, PAYLOADS_PER_TRACE } from "./odd-payloads.ts";
import { OddWriter } from "./odd-writer.ts";
import { StoredStates } from "./stored-states.ts";

const { values: flags } = parseArgs({
  options: {
    payloads: { type: "string", default: "1000000" },
    kills: { type: "string", default: "50" },
    /** A checkout, with its dependencies installed, of a version without packed payloads. */
    older: { type: "string" },
  },
});
const TRACES = Math.ceil(Number(flags.payloads) / PAYLOADS_PER_TRACE);
const KILLS = Number(flags.kills);
const KILL_TRACES = 60;
const CLIENTS = 4;

const UNPACKED = { PACK_PAYLOADS: "false" };
const range = (count: number, first = 0) => Array.from({ length: count }, (_, n) => first + n);

/** Calls `work` for all items, a few at a time. */
async function forEach<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    range(CLIENTS).map(async () => {
      for (const item of queue) await work(item);
    }),
  );
}

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const port = String(await freePort());
  let server = await startTrialServer(database.url, { PORT: port });
  onCleanup(() => killServer(server));
  const tenant = await newTenant(server.url, database.url, LARGE_PLAN);
  const restart = async (env: Record<string, string>) => {
    await stop(server);
    server = await startTrialServer(database.url, { PORT: port, ...env });
  };
  const states = new StoredStates(database.url);
  let isRight = true;

  const check = async (what: string, version: number, first = 0, count = TRACES) => {
    const startedAt = performance.now();
    let wrong = 0;
    await forEach(range(count, first), async (trace) => {
      wrong += countWrongPayloads(await readTrace(server, tenant, trace), trace, version);
    });
    isRight &&= wrong === 0;
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    console.log(`${what}: ${wrong} wrong payloads (${seconds} s); ${await states.describe()}`);
  };
  const send = async (version: number, status: "RUNNING" | "COMPLETED") => {
    await forEach(range(TRACES), async (trace) => {
      const { status: code, text } = await postBatch(server.url, tenant.key, oddBody(trace, version, status));
      if (code !== 200) throw new Error(`${code} ${text}`);
    });
  };

  if (TRACES > 0) {
    await send(0, "RUNNING");
    await check("packed", 0);
    await send(1, "RUNNING");
    await check("sent again", 1);
    await send(2, "COMPLETED");
    await check("ended", 2);
    await restart(UNPACKED);
    await moveAll(states, false);
    await check("moved back", 2);
    if (flags.older !== undefined) {
      await stop(server);
      server = await startServerProcess(
        { DATABASE_URL: database.url, LOG_LEVEL: "info", PORT: port, ...UNLIMITED },
        `${flags.older}/server/src/main.ts`,
      );
      await check("read by the older version", 2);
    }
    await restart({});
    await moveAll(states, true);
    await check("packed by the worker", 2);
  }
  if (KILLS > 0) {
    const first = 1_000_000;
    const writer = new OddWriter(tenant, first, KILL_TRACES);
    await writer.sendPending(server);
    let moved = 0;
    let interrupted = 0;
    let packed = await states.countPacked();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await killServer(server);
      // The lease of the killed process would expire after a minute.
      await states.setLease("-infinity");
      server = await startTrialServer(database.url, { PORT: port, ...(kill % 3 < 2 ? UNPACKED : {}) });
      const before = packed;
      const written = writer.run(server, 1 + randomInt(8));
      await sleep(randomInt(1_500));
      const deadline = performance.now() + 1_000;
      let isMoving = false;
      while (!isMoving && performance.now() < deadline) isMoving = await states.isMoving();
      // At any moment of that transaction, or just after it.
      await sleep(randomInt(20));
      await killServer(server);
      if (isMoving) interrupted += 1;
      await written;
      packed = await states.countPacked();
      moved += Math.abs(packed - before);
      const faults = await states.findFaults();
      isRight &&= faults === 0;
      if (faults > 0) console.log(`after kill ${kill}: ${faults} traces stored in two ways`);
    }
    console.log(
      `${KILLS} kills, ${interrupted} of them while a transaction moved payloads; about ${moved} traces moved between ` +
        `them, ${writer.acknowledged} stored or replaced`,
    );
    await states.setLease("-infinity");
    server = await startTrialServer(database.url, { PORT: port });
    await writer.sendPending(server);
    let wrong = 0;
    for (const [trace, version] of writer.versions)
      wrong += countWrongPayloads(await readTrace(server, tenant, trace), trace, version);
    isRight &&= wrong === 0;
    console.log(`after the kills: ${wrong} wrong payloads; ${await states.describe()}`);
    await moveAll(states, true);
    if (TRACES > 0) await check("packed at the end", 2);
    isRight &&= (await states.findFaults()) === 0;
  }
  return isRight;
});

async function stop({ child }: ServerProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  if (child.kill("SIGINT")) await ended;
}

async function readTrace(server: ServerProcess, { user }: Tenant, trace: number): Promise<Buffer> {
  const response = await fetch(`${server.url}/api/traces/${oddTraceId(trace)}`, {
    headers: { cookie: user.cookie ?? "" },
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

async function moveAll(states: StoredStates, isPacked: boolean): Promise<void> {
  const startedAt = performance.now();
  const total = await states.countLeft(isPacked);
  while ((await states.countLeft(isPacked)) > 0) await sleep(200);
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(`${isPacked ? "packed" : "moved back"} ${total} traces in ${seconds.toFixed(1)} s`);
}
