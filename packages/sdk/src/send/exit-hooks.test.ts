import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { leastOf } from "@whytrace/testing/least-of.ts";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { startStopwatch } from "@whytrace/testing/stopwatch.ts";
import { expect, it } from "vitest";
import { startFakeServer } from "../../test/fake-server.ts";

const { server, client, db } = await boot();
const sender = await newSender(client, db);
const EXITING_PROCESS = new URL("../../test/exiting-process.ts", import.meta.url).pathname;

async function run(
  how: string,
  {
    signal,
    url = server.url,
    // A slow machine may need longer than the SDK gives a program.
    flushTimeoutMs = "60000",
    onOutput,
  }: {
    signal?: NodeJS.Signals;
    url?: string;
    flushTimeoutMs?: string;
    onOutput?: (text: string, child: ChildProcess, ids: { open: string }) => void;
  } = {},
) {
  const ids = { finished: randomUUID(), open: randomUUID() };
  const child = spawn(
    process.execPath,
    [
      "--conditions=@whytrace/source",
      "--no-warnings",
      EXITING_PROCESS,
      how,
      ids.finished,
      ids.open,
      flushTimeoutMs,
    ],
    {
      env: { PATH: process.env.PATH, WHYTRACE_API_KEY: sender.key, WHYTRACE_URL: url },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let [errors, output] = ["", ""];
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  let msSinceReady = startStopwatch();
  child.stdout.on("data", (chunk) => {
    output += chunk;
    onOutput?.(String(chunk), child, ids);
    if (!String(chunk).includes("ready")) return;
    msSinceReady = startStopwatch();
    if (signal) child.kill(signal);
  });
  const [code, endedBy] = await once(child, "close");
  return { ...ids, code, endedBy, errors, output, tookMs: msSinceReady() };
}

const stored = async (id: string) => (await sender.get(`/api/traces/${id}`)).json;

const scoresOf = async (id: string) =>
  (await sender.get(`/api/scores?traceId=${id}`)).json.scores.map((one: { name: string }) => one.name);

it("an idle process sends its queued traces and scores before it exits", async () => {
  const { finished, code } = await run("idle");
  expect(code).toBe(0);
  expect(await stored(finished)).toMatchObject({ status: "COMPLETED", spans: [{ output: "done" }] });
  expect(await scoresOf(finished)).toEqual(["finished"]);
});

it.each([
  ["process.exit", "exit", undefined, { code: 3 }, "the process exited before the trace ended"],
  ["SIGTERM", "wait", "SIGTERM", { endedBy: "SIGTERM" }, "the process was ended by SIGTERM"],
  ["SIGINT", "wait", "SIGINT", { endedBy: "SIGINT" }, "the process was ended by SIGINT"],
  [
    "an uncaught error",
    "uncaught",
    undefined,
    { code: 1 },
    "the process was ended by an uncaught error: nobody caught me",
  ],
  [
    "an unhandled rejection",
    "rejection",
    undefined,
    { code: 1 },
    "the process was ended by an uncaught error: nobody caught me",
  ],
] as const)(
  "%s sends finished and open traces with their scores and still ends the process in the same way",
  async (_, how, signal, end, reason) => {
    const { finished, open, ...ended } = await run(how, signal ? { signal } : {});
    expect(ended).toMatchObject(end);
    if (how === "uncaught") expect(ended.errors).toContain("RangeError: nobody caught me");
    expect(await stored(finished)).toMatchObject({ status: "COMPLETED" });
    expect(await stored(open)).toMatchObject({
      status: "ERROR",
      spans: [{ name: "under way", status: "ERROR", statusMessage: reason }],
      events: [{ name: "begun" }, { name: reason, type: "ERROR" }],
    });
    expect([await scoresOf(finished), await scoresOf(open)]).toEqual([["finished"], ["begun"]]);
  },
);

it("a signal that the program handles itself does not end the process", async () => {
  const { code, finished } = await run("listener", { signal: "SIGTERM" });
  expect(code).toBe(7);
  expect(await stored(finished)).toMatchObject({ status: "COMPLETED" });
});

it.each(["drain by exit", "drain by idling", "drain once by exit"])(
  "a program that finishes its work after SIGTERM has no failed trace; meanwhile its traces are RUNNING: %s",
  async (how) => {
    const whileDraining: Promise<unknown>[] = [];
    const { open, code, output } = await run(how, {
      signal: "SIGTERM",
      onOutput(text, child, ids) {
        if (!text.includes("draining")) return;
        const isRunning = expect.poll(async () => (await stored(ids.open)).status).toBe("RUNNING");
        whileDraining.push(Promise.resolve(isRunning).finally(() => child.kill("SIGUSR2")));
      },
    });
    expect([code, output]).toEqual([0, "ready\ndraining\n"]);
    expect(await Promise.all(whileDraining)).toHaveLength(1);
    expect(await stored(open)).toMatchObject({ status: "COMPLETED", events: [] });
  },
);

it.each([
  ["SIGINT", "signal-exit first"],
  ["SIGINT", "signal-exit last"],
  ["SIGTERM", "signal-exit first"],
] as const)(
  "%s ends a process that also uses signal-exit, and its listeners run: %s",
  async (signal, how) => {
    const { open, endedBy, output } = await run(how, { signal });
    expect([endedBy, output]).toEqual([signal, "ready\nsignal-exit ran\n"]);
    expect(await stored(open)).toMatchObject({
      status: "ERROR",
      events: [{ name: "begun" }, { name: `the process was ended by ${signal}` }],
    });
  },
);

it("a signal ends a process in which init was called twice", async () => {
  const { open, endedBy } = await run("init twice", { signal: "SIGTERM" });
  expect(endedBy).toBe("SIGTERM");
  expect(await stored(open)).toMatchObject({ status: "ERROR" });
});

it.each([
  ["gets SIGTERM", "wait", "SIGTERM"],
  ["is idle", "idle", undefined],
] as const)(
  "a server that does not respond delays the exit of a process that %s by at most 2 s",
  async (_, how, signal) => {
    const silent = await startFakeServer(() => {});
    const options = { url: silent.url, flushTimeoutMs: "", ...(signal && { signal }) };
    const exitMs = async () => (await run(how, options)).tookMs;
    expect(await leastOf(3_500, exitMs)).toBeLessThan(3_500);
    await silent.close();
  },
);

it("exitHooks: false sends nothing when the process exits", async () => {
  const { finished, code } = await run("no hooks");
  expect(code).toBe(0);
  expect(await stored(finished)).toEqual({ error: expect.any(String) });
});
