// Tests the published packages: packs them, installs them and the oldest Node.js that they allow into an empty folder, starts `npx whytrace dev`, runs the
// snippet of the README, and reads its trace and decision. Fails if this takes more than a minute without the download.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, expectStatus } from "@whytrace/testing/server/client.ts";
import { type PackedDev, type Ready, startPackedDev } from "./packed-dev.ts";
import { cleanEnvironment, expect, run, seconds, TimedSteps } from "./timed-steps.ts";

const MAX_TOTAL_MS = 60_000;
const PACKAGES = ["whytrace-contract", "whytrace-demo", "whytrace-server", "whytrace", "whytrace-sdk"];
const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "whytrace-one-minute-"));
// Started by root, PostgreSQL runs as another user, which must be able to read this folder.
chmodSync(folder, 0o755);
const data = join(folder, "data");
const env = cleanEnvironment();

const steps = new TimedSteps();
let dev: PackedDev | undefined;
try {
  await steps.step("pack", () => run("npm", ["run", "-s", "pack"], { cwd: root, env }));
  await steps.step("install, including the download", install, { isCounted: false });
  dev = await steps.step("npx whytrace dev", () => startPackedDev({ folder, data, env }));
  const { ready } = dev;
  await steps.step("run the README's snippet", () => runSnippet(ready));
  await steps.step("sign in and read the trace and its decision", () => checkTrace(ready));
  await steps.step("load the dashboard", () => checkDashboard(ready));
  await steps.step("load demo data", () =>
    run("npx", ["whytrace", "seed", "--data", data, "--traces", "100"], { cwd: folder, env }),
  );
  await steps.step("stop", dev.stop);
  dev = undefined;
  console.log(
    `${seconds(steps.totalMs)} without the download and what the host took, limit ${MAX_TOTAL_MS / 1_000} s`,
  );
  if (steps.totalMs > MAX_TOTAL_MS) process.exitCode = 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await dev?.stop().catch(() => {});
  rmSync(folder, { recursive: true, force: true });
}

async function install() {
  const allowScripts = { node: true };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, allowScripts }));
  const { engines } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8"));
  const oldest = `node@${engines.node.slice(">=".length)}.0`;
  const files = PACKAGES.map((name) => join(root, `artifacts/${name}.tgz`));
  await run(
    "npm",
    ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", oldest, ...files],
    {
      cwd: folder,
      env,
    },
  );
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
