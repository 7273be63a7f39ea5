import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, finish, start } from "../../test/call.ts";
import { Api, sessionFrom } from "../api.ts";
import { freePort } from "../dev/ports.ts";
import { processCommand } from "../dev/process-command.ts";

interface Ready {
  url: string;
  signInLink: string;
  apiKey: string;
  pid: number;
}

let data: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "whytrace-dev-"));
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await waitUntil(async () => (await postgresPid()) === undefined);
  await rm(data, { recursive: true, force: true });
});

async function startDev(...options: string[]): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = start(["dev", "--data", data, "--port", "0", "--json", ...options], {
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
  });
  children.push(child);
  if (!child.stdout) throw new Error("no output");
  const line = new Promise<string>((resolve) =>
    createInterface({ input: child.stdout as never }).once("line", resolve),
  );
  return { child, ready: JSON.parse(await line) as Ready };
}

/** Signs in with the link, which works once. */
async function sessionOf({ url, signInLink }: Ready): Promise<string | undefined> {
  return sessionFrom((await new Api(url).request("GET", signInLink.slice(url.length))).headers);
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const closed = once(child, "exit");
  child.kill(signal);
  return ((await closed) as [number | null])[0];
}

/** The pid of the PostgreSQL that runs on the data folder. */
async function postgresPid(): Promise<number | undefined> {
  const lock = await readFile(join(data, "postgres/postmaster.pid"), "utf8").catch(() => "");
  const pid = Number(lock.split("\n")[0]);
  return pid > 0 && (await processCommand(pid))?.includes(data) ? pid : undefined;
}

const note = (child: ChildProcess, text: string) =>
  new Promise((resolve) =>
    child.stderr?.on("data", (chunk) => String(chunk).includes(text) && resolve(true)),
  );

/** Changes what a run left in the data folder about demo traces. */
async function setDemoTraceId(demoTraceId: string | undefined) {
  const state = JSON.parse(await readFile(join(data, "dev.json"), "utf8"));
  await writeFile(join(data, "dev.json"), JSON.stringify({ ...state, demoTraceId }));
}

async function waitUntil(condition: () => Promise<boolean>) {
  for (const deadline = Date.now() + 60_000; !(await condition()); await sleep(50))
    if (Date.now() > deadline) throw new Error("the condition was not met within a minute");
}

const TRACE = {
  id: "from-dev-test",
  name: "support-agent: first run",
  status: "COMPLETED",
  tags: [],
  startedAt: new Date().toISOString(),
  spans: [],
  events: [],
  decisionPoints: [
    {
      id: "d1",
      type: "ROUTING",
      chosen: "refund",
      alternatives: ["other"],
      reasoning: "It says so.",
      timestamp: new Date().toISOString(),
    },
  ],
};

describe("whytrace dev", () => {
  let first: Ready;

  it("starts everything, accepts its sign-in link once, and stores traces sent with its key", async () => {
    const { child, ready } = await startDev();
    first = ready;
    expect(new URL(ready.url).hostname).toBe("localhost");
    const session = await sessionOf(ready);
    expect(await sessionOf(ready)).toBe(undefined);
    await new Api(ready.url, { key: ready.apiKey }).call("POST /api/traces", { body: { traces: [TRACE] } });
    expect(await new Api(ready.url, { session }).call("GET /api/traces")).toMatchObject({
      traces: [{ id: TRACE.id, _count: { decisionPoints: 1 } }],
    });
    // The network of this machine is not public, but allowed.
    const channel = { kind: "webhook", name: "local", url: "http://127.0.0.1:9999/hook" };
    const added = await new Api(ready.url, { session }).request("POST", "/api/alerts/channels", channel);
    expect([added.status, added.body]).toEqual([201, expect.anything()]);
    expect((await stat(join(data, "dev.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(data, "postgres"))).mode & 0o777).toBe(0o700);

    const second = await finish(start(["dev", "--data", data]));
    expect([second.code, second.stderr]).toEqual([
      1,
      expect.stringContaining("is already running on this data folder"),
    ]);
    const seeded = await call(["seed", "--data", data, "--traces", "30", "--json"]);
    expect(JSON.parse(seeded.stdout)).toMatchObject({ stored: 30, where: ready.url });
    expect((await call(["trace", TRACE.id, "--data", data])).stdout).toMatch(
      /◆ Routing: refund not other\n.*“It says so.”/,
    );
    expect((await call(["admin", "link", "--data", data])).stdout).toMatch(/\/login\/link\?token=.{43}\n$/);

    expect(await postgresPid()).toBeGreaterThan(0);
    expect(await stop(child, "SIGINT")).toBe(0);
    expect(await postgresPid()).toBe(undefined);
  });

  it("keeps its data and its key between runs, and leaves no PostgreSQL behind when it is killed", async () => {
    await setDemoTraceId(TRACE.id);
    const { child, ready } = await startDev("--demo");
    await note(child, "The demo traces are already loaded");
    expect(ready.apiKey).toBe(first.apiKey);
    expect((await call(["trace", TRACE.id, "--data", data])).code).toBe(0);
    await stop(child, "SIGKILL");
    await waitUntil(async () => (await postgresPid()) === undefined);
  });

  // A month takes a minute. `seed-demo.test.ts` loads a part of one.
  it.runIf(IS_WHOLE)("loads a month of demo traces once", async () => {
    await setDemoTraceId(undefined);
    const { child } = await startDev("--demo");
    await note(child, "Stored 2000 demo traces");
    expect(await stop(child, "SIGINT")).toBe(0);
    const again = await startDev("--demo");
    await note(again.child, "The demo traces are already loaded");
    const reader = new Api(again.ready.url, { session: await sessionOf(again.ready) });
    expect(await reader.call("GET /api/traces", { query: { limit: 1 } })).toMatchObject({
      total: 1 + 30 + 2_000,
    });
    expect(await stop(again.child, "SIGINT")).toBe(0);
  });

  it.runIf(IS_WHOLE)("recovers after every process was killed at once, and stops on SIGTERM", async () => {
    const { child } = await startDev();
    const postgres = (await postgresPid()) ?? 0;
    process.kill(postgres, "SIGSTOP");
    await stop(child, "SIGKILL");
    process.kill(postgres, "SIGKILL");
    await waitUntil(async () => (await postgresPid()) === undefined);
    expect((await stat(join(data, "postgres/postmaster.pid"))).isFile()).toBe(true);
    const again = await startDev();
    expect((await call(["trace", TRACE.id, "--data", data])).code).toBe(0);
    expect(await stop(again.child, "SIGTERM")).toBe(0);
    expect(await postgresPid()).toBe(undefined);
  });

  it("names the process that uses the requested port", async () => {
    const port = await freePort();
    const listener = createServer().listen(port, "127.0.0.1");
    await once(listener, "listening");
    const result = await finish(start(["dev", "--data", join(data, "other"), "--port", String(port)]));
    listener.close();
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(`Port ${port} is in use by process ${process.pid}`);
  });
});
