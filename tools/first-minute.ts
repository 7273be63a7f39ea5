// Tests the first code block of the README: clones the repository, runs the block with only Node.js installed, opens the
// demo in a browser, and runs the examples. Runs with the oldest Node.js that the README allows and with the newest.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { launchBrowser, waitForExpression, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { cleanEnvironment, run, seconds, TimedSteps } from "./timed-steps.ts";

const DEMO_TRACES = 2_000;
const STOP_TIMEOUT_MS = 20_000;
const RUNTIMES = { 20: ["node@20", "npm@10"], 24: ["node@24", "npm@11"] };
const root = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { node: { type: "string", multiple: true } } });
const folder = mkdtempSync(join(tmpdir(), "whytrace-first-minute-"));
// Started by root, PostgreSQL runs as another user, which must be able to read this folder.
chmodSync(folder, 0o755);

try {
  for (const [version, packages] of Object.entries(RUNTIMES))
    if (values.node?.includes(version) ?? true) await runWith(version, packages);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runWith(version: string, packages: string[]) {
  const home = join(folder, `node-${version}`);
  const clone = join(home, "whytrace");
  const steps = new TimedSteps();
  const node = await installNode(home, packages);
  const env = { ...cleanEnvironment(node), WHYTRACE_DATA: join(home, "data") };
  console.log(`\nNode.js ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}`);
  await steps.step("git clone", () => run("git", ["clone", "-q", root, clone], { cwd: home, env }));
  const block = /```sh\n(.*?)```/s.exec(readFileSync(join(clone, "README.md"), "utf8"))?.[1];
  if (!block?.includes("--demo")) throw new Error("The first code block of the README does not run the demo");
  const shell = spawn("sh", ["-e", "-c", block], {
    cwd: clone,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const { link, key } = await steps.step(
      "run the first code block of the README until it prints a sign-in link and an API key",
      () => waitUntilReady(shell),
    );
    await steps.step("open the demo in a browser", () => openDemo(link, join(home, "demo.png")));
    console.log(`${seconds(steps.totalMs)} from git clone to the demo`);
    const sending = { ...env, WHYTRACE_URL: new URL(link).origin, WHYTRACE_API_KEY: key };
    for (const example of globSync("examples/*.js", { cwd: clone }))
      await steps.step(`node ${example}`, () => run(node, [example], { cwd: clone, env: sending }));
  } finally {
    await stop(shell);
  }
}

/** Installs Node.js and npm into an empty folder and returns the path of node. */
async function installNode(home: string, packages: string[]): Promise<string> {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), JSON.stringify({ private: true, allowScripts: { node: true } }));
  await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages], {
    cwd: home,
    env: cleanEnvironment(),
  });
  return join(home, "node_modules/.bin/node");
}

function waitUntilReady(shell: ChildProcess): Promise<{ link: string; key: string }> {
  return new Promise((resolve, reject) => {
    let text = "";
    shell.stdout?.on("data", (chunk) => {
      text += chunk;
      const link = /http:\/\/\S+\/login\/link\S+/.exec(text)?.[0];
      const key = /wt_\w+(?=\n)/.exec(text)?.[0];
      if (link && key) resolve({ link, key });
    });
    shell.once("close", (code) =>
      reject(new Error(`The first code block of the README exited with ${code}:\n${text}`)),
    );
  });
}

async function openDemo(link: string, screenshot: string) {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(link);
    await page.waitForURL((url) => !url.pathname.startsWith("/login"));
    await waitForExpression(
      page,
      `fetch("/api/traces?limit=1").then(async (list) => (await list.json()).total >= ${DEMO_TRACES})`,
    );
    await page.goto(new URL("/traces", link).href);
    await page.getByText("support-agent").first().waitFor();
    await waitUntilLoaded(page);
    await page.screenshot({ path: screenshot });
  } finally {
    await browser.close();
  }
}

async function stop(shell: ChildProcess) {
  if (shell.pid === undefined || shell.exitCode !== null) return;
  const ended = once(shell, "close");
  const group = -shell.pid;
  process.kill(group, "SIGINT");
  const timeout = setTimeout(() => process.kill(group, "SIGKILL"), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timeout);
}
