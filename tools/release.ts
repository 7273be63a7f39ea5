// Checks, packs and tries what a release publishes, and writes checksums, bill of materials and notes to artifacts/, from where
// `tools/publish.ts` publishes it. --dry-run is for a commit whose pages still say that nothing is published; --skip-checks for
// one that passed `npm run check`.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPackedDev } from "./packed-dev.ts";
import {
  checksums,
  publicationFaults,
  releaseFaults,
  releaseNotes,
  withAbsoluteLinks,
} from "./release-files.ts";
import { cleanEnvironment, expect, run, TimedSteps } from "./timed-steps.ts";

const PACKAGES = ["whytrace-contract", "whytrace-demo", "whytrace-server", "whytrace", "whytrace-sdk"];
/** The oldest of each that is supported, and the one that everything runs on. The server refuses the first. */
const NODES = [
  { version: "20.16.0", hasServer: false },
  { version: "22.15.0", hasServer: true },
  { version: "24", hasServer: true },
];
const SDK_PROGRAM = `
import { trace, span } from "@whytrace/sdk";
import { createRequire } from "node:module";
const required = createRequire(import.meta.url)("@whytrace/sdk");
if (typeof required.trace !== "function") throw new Error("require does not work");
console.log(await trace("release", () => span("step", () => 42)));`;

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    "skip-checks": { type: "boolean", default: false },
  },
});
const isDryRun = values["dry-run"];
const root = join(import.meta.dirname, "..");
const folder = join(root, "artifacts");
const env = cleanEnvironment();
const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const steps = new TimedSteps();

await steps.step("check versions, changelog and upgrade notes", () => {
  const faults = [...releaseFaults(), ...(isDryRun ? [] : publicationFaults())];
  expect(faults.length === 0, faults.join("\n"));
});
if (!values["skip-checks"])
  await steps.step("run every check", () =>
    execFileSync("npm", ["run", "-s", "check"], { cwd: root, stdio: "inherit" }),
  );
else console.log("         NOT CHECKED: --skip-checks left out types, tests and browser tests");
await steps.step("build", () => run("npm", ["run", "-s", "build"], { cwd: root, env }));
await steps.step("pack", () => {
  rmSync(folder, { recursive: true, force: true });
  return run("npm", ["run", "-s", "pack"], { cwd: root, env });
});
for (const node of NODES) await steps.step(`install on Node.js ${node.version}`, () => tryPackages(node));
await steps.step("write checksums, bill of materials and notes", writeFiles);
console.log(`Nothing was published. artifacts/ has what ${version} publishes.`);
for (const fault of publicationFaults()) console.log(`Before the tag: ${fault}`);

/** Installs the packages into an empty folder with one Node.js, and uses them. */
async function tryPackages({ version: node, hasServer }: (typeof NODES)[number]) {
  const empty = mkdtempSync(join(tmpdir(), "whytrace-release-"));
  // Started by root, PostgreSQL runs as another user, which must be able to read this folder.
  chmodSync(empty, 0o755);
  try {
    writeFileSync(
      join(empty, "package.json"),
      '{"name":"empty","private":true,"allowScripts":{"node":true}}',
    );
    const names = hasServer ? PACKAGES : ["whytrace-sdk"];
    const files = names.map((name) => join(folder, `${name}.tgz`));
    const options = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
    // The Node.js of this script runs npm; what is tried runs on the installed one.
    await run("npm", ["install", ...options, `node@${node}`, ...files], { cwd: empty, env });
    const binary = join(empty, "node_modules/node/bin/node");
    const output = (args: string[]) =>
      execFileSync(binary, args, {
        cwd: empty,
        env,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      }).trim();
    const running = output(["--version"]);
    expect(running.startsWith(`v${node.split(".")[0]}.`), `node@${node} is ${running}`);
    writeFileSync(join(empty, "program.mjs"), SDK_PROGRAM);
    expect(output(["program.mjs"]) === "42", "the SDK does not run");
    if (!hasServer) return;
    expect(
      output(["node_modules/whytrace/bin/whytrace.js", "--version"]) === version,
      "the command has another version",
    );
    const server = join(empty, "node_modules/@whytrace/server");
    for (const file of ["dashboard/index.html", "docs/index.html", "docs/llms.txt", "dist/main.js"])
      expect(readFileSync(join(server, file)).length > 0, `the server has no ${file}`);
    await tryDev(empty);
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

async function tryDev(folder: string) {
  const dev = await startPackedDev({ folder, data: join(folder, "data"), env });
  try {
    const { url } = dev.ready;
    for (const path of ["/login", "/docs", "/docs/llms.txt", "/w/sample"]) {
      const { status } = await fetch(url + path);
      expect(status === 200, `whytrace dev answers ${path} with ${status}`);
    }
  } finally {
    await dev.stop();
  }
}

function writeFiles() {
  const sbom = execFileSync(process.execPath, [join(root, "tools/sbom.mjs")], { maxBuffer: 64 * 2 ** 20 });
  writeFileSync(join(folder, "sbom.json"), sbom);
  const repository = process.env.GITHUB_REPOSITORY;
  const notes = releaseNotes(version);
  const source = `https://github.com/${repository}/blob/v${version}`;
  writeFileSync(join(folder, "NOTES.md"), `${repository ? withAbsoluteLinks(notes, source) : notes}\n`);
  const names = readdirSync(folder).filter((name) => name !== "SHA256SUMS");
  const files = Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name))]));
  writeFileSync(join(folder, "SHA256SUMS"), checksums(files));
  for (const [name, content] of Object.entries(files))
    console.log(`         ${name.padEnd(24)} ${(content.length / 1_000).toFixed(0).padStart(6)} kB`);
}
