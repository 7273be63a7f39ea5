// From nothing to a trace that one can see, as a newcomer goes: pack the packages, install them into an empty folder,
// `npx whytrace dev`, run the README's snippet, read its trace with its decision. Everything but the download has to fit into a minute.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const BOUND_MS = 60_000;
const PACKAGES = ["contract", "demo", "server", "cli", "sdk"];
const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "whytrace-one-minute-"));
// As root, PostgreSQL runs as another user, who has to reach what is installed here.
chmodSync(folder, 0o755);
const data = join(folder, "data");
// The Node.js that runs this, for npm and what it starts; no setting of this checkout gets through.
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|WHYTRACE_|DATABASE_URL)/.test(name)),
  ),
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
};

let countedMs = 0;
let dev;
try {
  if (!existsSync(join(root, "cli/dist/main.js")) || !existsSync(join(root, "dashboard/dist/index.html")))
    throw new Error("Nothing is built yet. Run npm run build.");
  const tarballs = await step("pack", pack);
  await step("install, with the download", () => install(tarballs), { isCounted: false });
  const ready = await step("npx whytrace dev", startDev);
  await step("run the README's snippet", () => runSnippet(ready));
  await step("sign in and see it with its decision", () => seeTrace(ready));
  await step("see the dashboard", () => seeDashboard(ready));
  await step("load demo data", () =>
    run("npx", ["whytrace", "seed", "--data", data, "--traces", "100"], folder),
  );
  await step("stop", stopDev);
  console.log(`${seconds(countedMs)} without the download, bound ${BOUND_MS / 1_000} s`);
  if (countedMs > BOUND_MS) process.exitCode = 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  if (dev && dev.exitCode === null) await stopDev().catch(() => {});
  rmSync(folder, { recursive: true, force: true });
}

async function step(name, work, { isCounted = true } = {}) {
  const startedAt = performance.now();
  const result = await work();
  const tookMs = performance.now() - startedAt;
  if (isCounted) countedMs += tookMs;
  console.log(`${seconds(tookMs).padStart(7)}  ${name}`);
  return result;
}

async function pack() {
  for (const name of PACKAGES)
    await run("npm", ["pack", "--pack-destination", folder, "--loglevel=error"], join(root, name));
  return readdirSync(folder).filter((name) => name.endsWith(".tgz"));
}

async function install(tarballs) {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true }));
  const files = tarballs.map((name) => `./${name}`);
  await run(
    "npm",
    ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", ...files],
    folder,
  );
}

async function startDev() {
  dev = spawn("npx", ["whytrace", "dev", "--data", data, "--port", "0", "--json"], {
    cwd: folder,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let notes = "";
  dev.stderr.on("data", (chunk) => {
    notes += chunk;
  });
  const line = new Promise((resolve, reject) => {
    createInterface({ input: dev.stdout }).once("line", resolve);
    dev.once("close", (code) => reject(new Error(`whytrace dev ended with ${code}:\n${notes}`)));
  });
  return JSON.parse(await line);
}

async function runSnippet({ url, apiKey }) {
  const snippet = /```ts\n(import .*?)```/s.exec(readFileSync(join(root, "README.md"), "utf8"))?.[1];
  expect(snippet !== undefined, "the README has no snippet");
  writeFileSync(join(folder, "snippet.mjs"), snippet);
  await run(process.execPath, ["snippet.mjs"], folder, { WHYTRACE_URL: url, WHYTRACE_API_KEY: apiKey });
}

async function seeTrace({ url, signInLink }) {
  const signedIn = await fetch(signInLink, { redirect: "manual" });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0];
  expect(cookie !== undefined, `the sign-in link answered ${signedIn.status}`);
  const read = async (path) => (await fetch(url + path, { headers: { cookie } })).json();
  const { traces } = await read("/api/traces");
  expect(
    traces?.[0]?.name === "support-agent" && traces[0]._count.decisionPoints === 1,
    "the trace is not in the list",
  );
  const { decisions } = await read("/api/decisions");
  expect(decisions?.[0]?.reasoning === "The question is about policy.", "the decision is not in the list");
}

async function seeDashboard({ url }) {
  const page = await fetch(`${url}/login`);
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
  expect(script !== undefined && (await fetch(url + script)).status === 200, "the dashboard was not packed");
}

async function stopDev() {
  const lock = readFileSync(join(data, "postgres/postmaster.pid"), "utf8");
  const ended = once(dev, "close");
  process.kill(-dev.pid, "SIGINT");
  await Promise.race([ended, sleep(20_000, undefined, { ref: false })]);
  expect(dev.exitCode !== null || dev.signalCode !== null, "whytrace dev did not stop within 20 s");
  expect(!isAlive(Number(lock.split("\n")[0])), "PostgreSQL was left behind");
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function run(command, args, cwd, settings = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...env, ...settings },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "close");
  expect(code === 0, `${command} ${args.join(" ")} ended with ${code}`);
}

function expect(holds, text) {
  if (!holds) throw new Error(text);
}

function seconds(ms) {
  return `${(ms / 1_000).toFixed(1)} s`;
}
