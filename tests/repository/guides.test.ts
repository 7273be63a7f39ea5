import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { freePort } from "@whytrace/testing/free-port.ts";
import { guidePrograms } from "@whytrace/testing/guides/guide-programs.ts";
import { guideProject } from "@whytrace/testing/guides/guide-project.ts";
import { volume } from "@whytrace/testing/volume.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { snippets } from "../../packages/dashboard/src/account/snippets.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const PAGES = globSync("docs/opentelemetry/*.md", { cwd: ROOT }).sort();

/** Their framework sends what is left when the process ends, and handles failures: tried with the real packages. */
const FLUSHED_BY_FRAMEWORK = ["mapping.md", "mastra.md", "openlit.md", "strands.md"];
/** The exporter's own limit, 10 s by default, and what a busy machine takes beside it. */
const EXPORT_TIMEOUT_MS = 1_000;
const MAX_RUN_MS = 60_000;

const programs = [
  ...PAGES.flatMap((page) =>
    guidePrograms(read(page)).map((program, index) => ({
      name: `${basename(page)} ${index + 1}`,
      ...program,
    })),
  ),
  ...snippets("http://127.0.0.1:3000", "wt_key", "0".repeat(32), "2026-01-01T00:00:00Z").flatMap(
    ({ id, text }) => {
      const code = /NodeSDK/.test(text) && /<<'END'\n(.*?)^END$/ms.exec(text)?.[1];
      return code
        ? { name: `the welcome page's ${id}`, files: { "agent.mjs": code }, args: ["agent.mjs"] }
        : [];
    },
  ),
];

const compileCache = mkdtempSync(join(tmpdir(), "whytrace-guides-"));
const folders = new Map<string, string>();
const endpoints = new Map<string, string>();
const servers = ([401, 404, 500, "hanging"] as const).map((answer) => ({
  answer,
  server: createServer((request, response) => {
    request.resume();
    if (answer !== "hanging") response.writeHead(answer).end('{"error":"no"}');
  }),
}));

beforeAll(async () => {
  for (const { answer, server } of servers) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    endpoints.set(String(answer), `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  endpoints.set("down", `http://127.0.0.1:${await freePort()}`);
  for (const { name, files } of programs) folders.set(name, await guideProject(files));
});
afterAll(async () => {
  for (const { server } of servers) {
    server.closeAllConnections();
    server.close();
  }
  for (const folder of [compileCache, ...folders.values()]) await rm(folder, { recursive: true });
});

function run(folder: string, args: string[], endpoint: string): Promise<{ code: unknown; warning: string }> {
  const env = {
    PATH: process.env.PATH,
    // Each program runs five times.
    NODE_COMPILE_CACHE: compileCache,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_TIMEOUT: String(EXPORT_TIMEOUT_MS),
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--import", "./names.mjs", ...args],
      { cwd: folder, env, timeout: MAX_RUN_MS },
      (error, _stdout, stderr) =>
        resolve({ code: error ? (error.signal ?? error.code) : 0, warning: stderr }),
    );
  });
}

describe("the guides of OpenTelemetry", () => {
  it("install the version of the AI SDK that their program is for: npm chooses an older one on an older Node.js", () => {
    const page = read("docs/opentelemetry/ai-sdk.md");
    expect(page).toMatch(/^npm install ai@7 @ai-sdk\/otel@1 /m);
    expect(page).toMatch(/^npm install ai@6 /m);
  });

  it("have a program that starts and ends tracing", () => {
    const without = PAGES.filter((page) => guidePrograms(read(page)).length === 0);
    expect(without.map((page) => basename(page))).toEqual(FLUSHED_BY_FRAMEWORK);
  });

  it("pin each package that a page installs, since others of its next major version may not fit", () => {
    const installs = globSync(["docs/*.md", "docs/!(renderer|skills)/**/*.md"], { cwd: ROOT }).flatMap(
      (page) =>
        [...read(page).matchAll(/npm install ((?:[^\n`\\]|\\\n)+)/g)].flatMap(([, packages = ""]) =>
          packages
            .split(/[\s\\]+/)
            .filter((name) => name !== "" && !name.startsWith("-") && !name.endsWith(".tgz"))
            .map((name) => ({ page, name })),
        ),
    );
    expect(installs.length).toBeGreaterThan(30);
    // Below 1.0, each minor version may break.
    expect(installs.filter(({ name }) => !/^.[^@]*@([1-9]\d*(\.\d+)*|0\.\d+(\.\d+)?)$/.test(name))).toEqual(
      [],
    );
  });

  it.concurrent.each(programs.filter(({ args }) => args.length > 1))(
    "$name sends before an error that nobody catches ends the process",
    async ({ name, args: [flag = "", preloaded = ""] }) => {
      const folder = folders.get(name) ?? "";
      writeFileSync(join(folder, "failing.mjs"), 'throw new Error("the agent failed");');
      const { code, warning } = await run(
        folder,
        [flag, preloaded, "failing.mjs"],
        endpoints.get("401") ?? "",
      );
      expect(warning).toContain("the agent failed");
      // The server refuses, so that an attempt to send shows.
      expect(warning).toMatch(/^Traces were not sent: /m);
      expect(code).toBe(1);
    },
  );

  const ANSWERS = ["down", "hanging", "401", "404", "500"];
  /** Each program has some of the servers, and each server some of the programs. */
  const programsFor = (answer: string) =>
    programs.filter(
      (_, index) => (index + ANSWERS.indexOf(answer)) % ANSWERS.length < volume(ANSWERS.length, 2),
    );
  describe.concurrent.each(ANSWERS)("with a server that is or answers %s", (answer) => {
    it.concurrent.each(programsFor(answer))(
      "$name ends with exit code 0 and one line of warning",
      async ({ name, args }) => {
        const { code, warning } = await run(folders.get(name) ?? "", args, endpoints.get(answer) ?? "");
        expect(warning).toMatch(/^Traces were not sent: .+\n$/);
        expect(code).toBe(0);
      },
    );
  });
});
