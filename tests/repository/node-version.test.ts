import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const manifest = (path: string): { engines?: { node: string }; devDependencies: { node: string } } =>
  JSON.parse(read(path));
const minimumOf = (path: string) => manifest(path).engines?.node.replace(">=", "");

/** What the server, the command line and a checkout need. */
const SERVER = minimumOf("packages/server/package.json") ?? "";
/** What the SDK needs, which runs in the processes of others. */
const SDK = minimumOf("packages/sdk/package.json") ?? "";

const PAGES: Record<string, string[]> = {
  "README.md": [SERVER],
  "CONTRIBUTING.md": [SERVER],
  "examples/README.md": [SERVER],
  "docs/index.md": [SERVER],
  "docs/sdk.md": [SDK],
  "packages/sdk/README.md": [SDK],
  "packages/cli/README.md": [SERVER],
  "docs/cli.md": [SERVER],
  "docs/coding-agents.md": [SERVER],
  "docs/operating.md": [SERVER],
  "docs/decisions/0016-packed-payloads.md": [SERVER],
};

describe("the oldest Node.js", () => {
  it("is the same in the packages of the server and in the checkout, so that installing one warns of nothing", () => {
    expect(["cli", "contract", "demo"].map((name) => minimumOf(`packages/${name}/package.json`))).toEqual(
      Array(3).fill(SERVER),
    );
    expect(minimumOf("package.json")).toBe(SERVER);
  });

  it("is the same in every page that names it", () => {
    const pages = globSync("**/*.md", {
      cwd: ROOT,
      exclude: (path) => /node_modules|dist|artifacts/.test(path),
    });
    const named = pages
      .filter((page) => page !== "CHANGELOG.md")
      .map((page) => [page, versionsIn(read(page))] as const)
      .filter(([, versions]) => versions.length > 0);
    expect(Object.fromEntries(named)).toEqual(PAGES);
  });

  it("is older than the one that the image and the scripts use", () => {
    const [image] = /node:\d+(?=-)/.exec(read("deploy/Dockerfile")) ?? [];
    const major = manifest("package.json").devDependencies.node.split(".")[0];
    expect(image).toBe(`node:${major}`);
    expect(Number(major)).toBeGreaterThan(Number.parseInt(SERVER, 10));
  });

  it.each([
    ["the server", ["packages/server/src/main.ts"]],
    ["a migration", ["packages/server/src/migrate.ts"]],
    ["the command line", ["packages/cli/bin/whytrace.js", "--version"]],
  ])("is named in one line by %s that is started with an older one", async (_what, args) => {
    // As in an older one, zstd is missing.
    const older = 'data:text/javascript,import zlib from "node:zlib"; delete zlib.createZstdDecompress;';
    const options = ["--conditions=@whytrace/source", "--import", older];
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, [...options, ...args], { cwd: ROOT, env: {} }, (error, _stdout, text) =>
        resolve({ code: error?.code, stderr: text }),
      );
    });
    expect(stderr).toMatch(new RegExp(`^\\w+ needs Node\\.js ${SERVER} or newer; this is [\\d.]+\\. .+\\n$`));
    expect(code).toBe(1);
  });
});

const versionsIn = (page: string) =>
  [...page.matchAll(/Node\.js (\d+(?:\.\d+)?)\s(?:or|and)\snewer/g)].map(([, version]) => version);
