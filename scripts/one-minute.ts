// Tests the published packages: packs them, installs them and the oldest Node.js that they allow into an empty folder, starts `npx whytrace dev`, runs the
// snippet of the README, and reads its trace and decision. Fails if this takes more than a minute without the download.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, expectStatus } from "@whytrace/testing/server/client.ts";
import { cleanEnvironment, expect, run, seconds, TimedSteps } from "./timed-steps.ts";

const MAX_TOTAL_MS = 60_000;
const PACKAGES = ["whytrace-contract", "whytrace-demo", "whytrace-server", "whytrace", "whytrace-sdk"];
const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "whytrace-one-minute-"));
// Started by root, PostgreSQL runs as another user, which must be able to read this folder.
chmodSync(folder, 0o755);
const data = join(folder, "data");
const env = cleanEnvironment();

interface Ready {
  url: string;
  apiKey: string;
  signInLink: string;
}

const steps = new TimedSteps();
let dev: ChildProcess | undefined;
try {
  await steps.step("pack", () => run("npm", ["run", "-s", "pack"], { cwd: root, env }));
  await steps.step("install, including the download", install, { isCounted: false });
  const ready = await steps.step("npx whytrace dev", startDev);
  await steps.step("run the README's snippet", () => runSnippet(ready));
  await steps.step("sign in and read the trace and its decision", () => checkTrace(ready));
  await steps.step("load the dashboard", () => checkDashboard(ready));
  await steps.step("load demo data", () =>
    run("npx", ["whytrace", "seed", "--data", data, "--traces", "100"], { cwd: folder, env }),
  );
  await steps.step("stop", stopDev);
  console.log(
    `${seconds(steps.totalMs)} without the download and what the host took, limit ${MAX_TOTAL_MS / 1_000} s`,
  );
  if (steps.totalMs > MAX_TOTAL_MS) process.exitCode = 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  if (dev?.exitCode === null) await stopDev().catch(() => {});
  rmSync(folder, { recursive: true, force: true });
}

async function install() {
  const allowScripts = { node: true };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, allowScripts }));
  const { engines } = JSON.parse(readFileSync(join(root, "cli/package.json"), "utf8"));
  const oldest = `node@${engines.node.slice(">=".length)}.0`;
  const files = PACKAGES.map((name) => join(root, `packages/${name}.tgz`));
  await run(
    "npm",
    ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", oldest, ...files],
    {
      cwd: folder,
      env,
    },
  );
}

async function startDev(): Promise<Ready> {
  const child = spawn("npx", ["whytrace", "dev", "--data", data, "--port", "0", "--json"], {
    cwd: folder,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  dev = child;
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const line = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("close", (code) => reject(new Error(`whytrace dev exited with ${code}:\n${stderr}`)));
  });
  return JSON.parse(await line);
}

async function runSnippet({ url, apiKey }: Ready) {
  const snippet = /```ts\n(import .*?)```/s.exec(readFileSync(join(root, "README.md"), "utf8"))?.[1];
  if (snippet === undefined) throw new Error("the README contains no TypeScript snippet");
  writeFileSync(join(folder, "snippet.mjs"), snippet);
  await run(process.execPath, ["snippet.mjs"], {
    cwd: folder,
    env: { ...env, WHYTRACE_URL: url, WHYTRACE_API_KEY: apiKey },
  });
}

async function checkTrace({ url, signInLink }: Ready) {
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

async function checkDashboard({ url }: Ready) {
  const page = await fetch(`${url}/login`);
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
  expect(
    script !== undefined && (await fetch(url + script)).status === 200,
    "the package does not contain the dashboard",
  );
}

async function stopDev() {
  if (dev?.pid === undefined) return;
  const lock = readFileSync(join(data, "postgres/postmaster.pid"), "utf8");
  const ended = once(dev, "close");
  process.kill(-dev.pid, "SIGINT");
  await Promise.race([ended, sleep(20_000, undefined, { ref: false })]);
  expect(dev.exitCode !== null || dev.signalCode !== null, "whytrace dev did not stop within 20 s");
  expect(!isAlive(Number(lock.split("\n")[0])), "PostgreSQL is still running");
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
