// From nothing to a trace that one can see, with the packages as they will be published: pack them, install them into an
// empty folder, `npx whytrace dev`, run the README's snippet, read its trace with its decision. Everything but the
// download has to fit into a minute.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, expectStatus } from "@whytrace/testing/client.ts";
import { expect, newcomerEnvironment, run, seconds, TimedSteps } from "./timed-steps.ts";

const BOUND_MS = 60_000;
const PACKAGES = ["whytrace-contract", "whytrace-demo", "whytrace-server", "whytrace", "whytrace-sdk"];
const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "whytrace-one-minute-"));
// As root, PostgreSQL runs as another user, who has to reach what is installed here.
chmodSync(folder, 0o755);
const data = join(folder, "data");
const env = newcomerEnvironment();

interface Ready {
  url: string;
  apiKey: string;
  signInLink: string;
}

const steps = new TimedSteps();
let dev: ChildProcess | undefined;
try {
  await steps.step("pack", () => run("npm", ["run", "-s", "pack"], { cwd: root, env }));
  await steps.step("install, with the download", install, { isCounted: false });
  const ready = await steps.step("npx whytrace dev", startDev);
  await steps.step("run the README's snippet", () => runSnippet(ready));
  await steps.step("sign in and see it with its decision", () => seeTrace(ready));
  await steps.step("see the dashboard", () => seeDashboard(ready));
  await steps.step("load demo data", () =>
    run("npx", ["whytrace", "seed", "--data", data, "--traces", "100"], { cwd: folder, env }),
  );
  await steps.step("stop", stopDev);
  console.log(`${seconds(steps.totalMs)} without the download, bound ${BOUND_MS / 1_000} s`);
  if (steps.totalMs > BOUND_MS) process.exitCode = 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  if (dev?.exitCode === null) await stopDev().catch(() => {});
  rmSync(folder, { recursive: true, force: true });
}

async function install() {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true }));
  const files = PACKAGES.map((name) => join(root, `packages/${name}.tgz`));
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", ...files], {
    cwd: folder,
    env,
  });
}

async function startDev(): Promise<Ready> {
  const child = spawn("npx", ["whytrace", "dev", "--data", data, "--port", "0", "--json"], {
    cwd: folder,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  dev = child;
  let notes = "";
  child.stderr.on("data", (chunk) => {
    notes += chunk;
  });
  const line = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("close", (code) => reject(new Error(`whytrace dev exited with ${code}:\n${notes}`)));
  });
  return JSON.parse(await line);
}

async function runSnippet({ url, apiKey }: Ready) {
  const snippet = /```ts\n(import .*?)```/s.exec(readFileSync(join(root, "README.md"), "utf8"))?.[1];
  if (snippet === undefined) throw new Error("the README has no snippet");
  writeFileSync(join(folder, "snippet.mjs"), snippet);
  await run(process.execPath, ["snippet.mjs"], {
    cwd: folder,
    env: { ...env, WHYTRACE_URL: url, WHYTRACE_API_KEY: apiKey },
  });
}

async function seeTrace({ url, signInLink }: Ready) {
  const signedIn = await new Client(url).get(signInLink.slice(url.length));
  const client = new Client(url, signedIn.headers.getSetCookie()[0]?.split(";")[0]);
  const { traces } = expectStatus(await client.get("/api/traces"), 200).json;
  expect(
    traces[0]?.name === "support-agent" && traces[0]._count.decisionPoints === 1,
    "the trace is not in the list",
  );
  const { decisions } = expectStatus(await client.get("/api/decisions"), 200).json;
  expect(decisions[0]?.reasoning === "The question is about policy.", "the decision is not in the list");
}

async function seeDashboard({ url }: Ready) {
  const page = await fetch(`${url}/login`);
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
  expect(script !== undefined && (await fetch(url + script)).status === 200, "the dashboard was not packed");
}

async function stopDev() {
  if (dev?.pid === undefined) return;
  const lock = readFileSync(join(data, "postgres/postmaster.pid"), "utf8");
  const ended = once(dev, "close");
  process.kill(-dev.pid, "SIGINT");
  await Promise.race([ended, sleep(20_000, undefined, { ref: false })]);
  expect(dev.exitCode !== null || dev.signalCode !== null, "whytrace dev did not stop within 20 s");
  expect(!isAlive(Number(lock.split("\n")[0])), "PostgreSQL was left behind");
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
