// The README's first block as a newcomer runs it: clone, run it as written with only Node.js, and see the demo in a
// browser. Once with the oldest Node.js that the README allows and the npm it comes with, once with the newest.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { launchBrowser, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { newcomerEnvironment, run, seconds, TimedSteps } from "./timed-steps.ts";

const DEMO_TRACES = 300;
const RUNTIMES = { 20: ["node@20", "npm@10"], 24: ["node@24", "npm@11"] };
const root = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { node: { type: "string", multiple: true } } });
const folder = mkdtempSync(join(tmpdir(), "whytrace-first-minute-"));
// As root, PostgreSQL runs as another user, who has to reach what is installed here.
chmodSync(folder, 0o755);

try {
  for (const [version, packages] of Object.entries(RUNTIMES))
    if (values.node?.includes(version) ?? true) await tryWith(version, packages);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function tryWith(version: string, packages: string[]) {
  const home = join(folder, `node-${version}`);
  const clone = join(home, "whytrace");
  const steps = new TimedSteps();
  const node = await installNode(home, packages);
  const env = { ...newcomerEnvironment(node), WHYTRACE_DATA: join(home, "data") };
  console.log(`\nNode.js ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}`);
  await steps.step("git clone", () => run("git", ["clone", "-q", root, clone], { cwd: home, env }));
  const block = /```sh\n(.*?)```/s.exec(readFileSync(join(clone, "README.md"), "utf8"))?.[1];
  if (!block?.includes("--demo")) throw new Error("The README's first block does not show the demo");
  const shell = spawn("sh", ["-e", "-c", block], {
    cwd: clone,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const link = await steps.step("the README's first block, up to its sign-in link", () => linkOf(shell));
    await steps.step("the demo in a browser", () => seeDemo(link, join(home, "demo.png")));
    console.log(`${seconds(steps.totalMs)} from the clone to the demo`);
  } finally {
    await stop(shell);
  }
}

/** A Node.js and npm of their own, in a folder that holds nothing else. */
async function installNode(home: string, packages: string[]): Promise<string> {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), JSON.stringify({ private: true, allowScripts: { node: true } }));
  await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages], {
    cwd: home,
    env: newcomerEnvironment(),
  });
  return join(home, "node_modules/.bin/node");
}

function linkOf(shell: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    shell.stdout?.on("data", (chunk) => {
      text += chunk;
      const link = /http:\/\/\S+\/login\/link\S+/.exec(text)?.[0];
      if (link) resolve(link);
    });
    shell.once("close", (code) =>
      reject(new Error(`The README's first block exited with ${code}:\n${text}`)),
    );
  });
}

async function seeDemo(link: string, picture: string) {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(link);
    await page.waitForURL((url) => !url.pathname.startsWith("/login"));
    await page.waitForFunction(
      `fetch("/api/traces?limit=1").then(async (list) => (await list.json()).total >= ${DEMO_TRACES})`,
    );
    await page.goto(new URL("/traces", link).href);
    await page.getByText("support-agent").first().waitFor();
    await waitUntilLoaded(page);
    await page.screenshot({ path: picture });
  } finally {
    await browser.close();
  }
}

async function stop(shell: ChildProcess) {
  if (shell.pid === undefined || shell.exitCode !== null) return;
  const ended = once(shell, "close");
  process.kill(-shell.pid, "SIGINT");
  await ended;
}
