import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { feedbackSecret, isSignedWith, readFeedbackToken } from "@whytrace/contract";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { sampleOf } from "@whytrace/testing/volume.ts";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { snippets } from "../dashboard/src/account/snippets.ts";
import { respondJson, startFakeServer } from "./test/fake-server.ts";

/* Tests the package as users get it: built, packed and installed into a separate project. */

const SDK = import.meta.dirname;
const BIN = join(SDK, "../../node_modules/.bin");
const ENTRIES = ["index", "openai", "anthropic", "ai", "langchain", "otel", "explore", "feedback"];
const MAX_CORE_BYTES = 12_000;
/** The project's own, and the older one that attw brings: users have either. */
const COMPILERS = ["typescript", "@arethetypeswrong/core/node_modules/typescript"].map((folder) =>
  join(BIN, "..", folder, "bin/tsc"),
);
const run = promisify(execFile);
let project = "";
let tarball = "";

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "whytrace-sdk-"));
  await run(process.execPath, ["build.ts"], { cwd: SDK });
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", project], { cwd: SDK });
  tarball = join(project, JSON.parse(stdout)[0].filename);
  const installed = join(project, "node_modules/@whytrace/sdk");
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", tarball, "--strip-components=1", "-C", installed]);
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "scratch", private: true }));
});
afterAll(() => rm(project, { recursive: true, force: true }));

async function bundle(
  entry: string,
  platform: "browser" | "neutral" = "browser",
  format: "esm" | "iife" = "esm",
) {
  const input = join(project, `node_modules/@whytrace/sdk/dist/${entry}.js`);
  const { output } = await build({
    input,
    platform,
    write: false,
    output: { format, minify: true, name: "whytrace" },
  });
  return output[0].code;
}

describe("the package", () => {
  it("has a core of at most 12 kB, minified and gzipped, and imports no Node.js module", async () => {
    const code = await bundle("index");
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(MAX_CORE_BYTES);
    for (const entry of ENTRIES)
      expect(await bundle(entry, "neutral")).not.toMatch(/\b(from|import|require)\s*\(?\s*["']/);
  });

  it("passes publint, and attw for every module resolution that supports exports", async () => {
    await run(join(BIN, "publint"), ["run", tarball, "--strict"]);
    await run(join(BIN, "attw"), [tarball, "--profile", "node16", "--no-emoji"]);
  });

  it("has no dependency, contains no zod, and its declarations import no other package", async () => {
    const { dependencies, peerDependencies, optionalDependencies } = JSON.parse(
      await readFile(join(project, "node_modules/@whytrace/sdk/package.json"), "utf8"),
    );
    expect([dependencies, peerDependencies, optionalDependencies]).toEqual([undefined, undefined, undefined]);
    for (const entry of ENTRIES) expect(await bundle(entry, "neutral")).not.toMatch(/zod/i);
    const { stdout } = await run(
      "grep",
      ["-rhoE", '(from |import\\()"[^"]+"', "--include=*.d.ts", "--include=*.d.cts", "."],
      {
        cwd: join(project, "node_modules/@whytrace/sdk/dist"),
      },
    );
    for (const line of stdout.trim().split("\n")) expect(line).toMatch(/"\.{1,2}\//);
  });
});

const PROGRAM = `
const id: string = startTrace("t", { tags: ["a"], sessionId: undefined }).id;
async function main(): Promise<"a" | "b"> {
  const chosen: "a" | "b" = await decide("ROUTING", { options: ["a", "b"] as const, choose: ([first]) => first ?? "b" });
  const pick = (names: string[]): string => names[0] ?? "";
  const picked: string = await decide("TOOL_SELECTION", { options: ["x", "y"], choose: (options) => pick(options) });
  const literal: "a" | "b" = await decide("ROUTING", {
    options: ["a", "b"],
    choose: () => ({ chosen: "a", reasoning: "why" }),
  });
  const constant: "a" | "b" = await decide("ROUTING", {
    options: ["a", "b"] as const,
    choose: async () => ({ chosen: literal, reasoning: "why" }),
  });
  const answered: string = await decide("ROUTING", {
    options: ["a", "b"],
    choose: async () => ({ chosen: pick([constant]), reasoning: "why" }),
  });
  const inTrace: "a" | "b" = await startTrace("t").decide("ROUTING", {
    options: ["a", "b"],
    choose: () => (answered === "b" ? "b" : { chosen: "a", reasoning: "why" }),
  });
  const explored: "a" | "b" = await decideOrDraw("ROUTING", {
    options: ["a", "b"],
    choose: () => ({ chosen: inTrace, reasoning: "why" }),
    explore: { share: 0.1, never: ["a"] },
  });
  // @ts-expect-error an option with reasoning that is not among the options
  void decide("ROUTING", { options: ["a", "b"] as const, choose: () => ({ chosen: "zzz", reasoning: explored }) });
  const reasoned: { to: string } = await decide("CUSTOM", {
    options: [{ to: picked }],
    choose: async (options) => ({ chosen: options[0] ?? { to: "y" }, reasoning: "why" }),
  });
  const length: number = await trace("t", { metadata: { id } }, async (t) => t.span("s", { type: "TOOL_CALL" }, () => reasoned.to.length));
  event("e", { type: "RETRY", metadata: length });
  const left: number = startTrace("t").run(() => stats().queued);
  init({ onError: ({ code }) => void code, redact: (value, path) => (path === "x" ? undefined : value) });
  // @ts-expect-error an unknown type
  span("s", { type: "NOPE" });
  // @ts-expect-error an option of another kind
  void decide("ROUTING", { options: ["a", "b"], choose: () => 7 });
  const made: "a" | "b" = await decide("ROUTING", { options: ["a", "b"], chosen: chosen });
  const anyOf: string = await decide("ROUTING", { options: [picked, made], chosen: picked });
  const recorded: { to: string } = await decide("ROUTING", { options: [{ to: anyOf }, { to: "x" }], chosen: { to: "x" } });
  // @ts-expect-error a decision for what is not among the options
  void decide("ROUTING", { options: ["a", "b"], chosen: "zzz" });
  // @ts-expect-error the same through a handle
  void startTrace("t").decide("ROUTING", { options: ["a", "b"], chosen: "zzz" });
  // @ts-expect-error the same for numbers
  void decide("ROUTING", { options: [1, 2], chosen: 3 });
  // @ts-expect-error the same for objects
  void decide("ROUTING", { options: [recorded], chosen: { from: "x" } });
  // @ts-expect-error the same with a function that chooses
  void decide("ROUTING", { options: ["a", "b"] as const, choose: () => "zzz" });
  score("helpful", false, { source: "user", traceId: id, author: undefined });
  startTrace("t").span("s").score("relevance", 0.2, { label: "fail", source: "judge" });
  // @ts-expect-error an unknown source
  score("helpful", true, { source: "somebody" });
  // @ts-expect-error a value of another type
  score("helpful", { good: true });
  const token: string | undefined = feedbackToken("helpful", { author: "u", max: 5, expiresInSeconds: 60 });
  await flush({ timeoutMs: left + (token ?? "").length + stats().scores.sent });
  return chosen;
}
const wrapped: { own: string } = wrapOpenAI({ own: "type" }, { prices: { m: { input: 1, output: 2 }, n: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: undefined } } });
wrapAnthropic(wrapped).own satisfies string;
wrapModel(wrapped).own satisfies string;
wrapTools({ tool: wrapped }).tool.own satisfies string;
whytraceCallbacks().name satisfies string;
`;
const IMPORTS = `
import { decide, event, flush, init, score, span, startTrace, stats, trace } from "@whytrace/sdk";
import { decide as decideOrDraw } from "@whytrace/sdk/explore";
import { feedbackToken } from "@whytrace/sdk/feedback";
import { wrapAnthropic } from "@whytrace/sdk/anthropic";
import { wrapModel, wrapTools } from "@whytrace/sdk/ai";
import { whytraceCallbacks } from "@whytrace/sdk/langchain";
import { wrapOpenAI } from "@whytrace/sdk/openai";
`;

describe("its types compile under TypeScript's strictest settings", () => {
  it.each(
    sampleOf([
      ["ES modules", "esm.mts", `${PROGRAM}export { main };`, { module: "nodenext" }],
      ["CommonJS", "cjs.cts", `${PROGRAM}export { main };`, { module: "nodenext" }],
      [
        "a bundler",
        "bundled.ts",
        `${PROGRAM}export { main };`,
        { module: "preserve", moduleResolution: "bundler" },
      ],
      [
        "without the types of Node.js and of browsers",
        "bare.mts",
        `${PROGRAM}export { main };`,
        { module: "nodenext", lib: ["es2022"] },
      ],
    ]),
  )("%s", async (_, file, program, options) => {
    await writeFile(join(project, file), IMPORTS + program);
    const compilerOptions = {
      target: "es2022",
      lib: ["es2022", "dom"],
      types: [],
      noEmit: true,
      strict: true,
      skipLibCheck: false,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noPropertyAccessFromIndexSignature: true,
      noImplicitOverride: true,
      noUnusedLocals: true,
      noImplicitReturns: true,
      isolatedModules: true,
      verbatimModuleSyntax: !file.endsWith(".cts"),
      ...options,
    };
    const config = join(project, `tsconfig.${file}.json`);
    await writeFile(config, JSON.stringify({ compilerOptions, files: [file] }));
    for (const compiler of COMPILERS) {
      const { stdout } = await run(process.execPath, [compiler, "-p", config]).catch((error) => error);
      expect(stdout).toBe("");
    }
  });
});

/** What a page names and does not declare. */
const LEFT_TO_THE_READER = `
declare function askModel(): Promise<string>;
declare function call(tool: string): Promise<void>;
declare const router: { pick(options: string[]): string };
declare const query: string;
declare function search(query: string): Promise<string[]>;
declare const options: string[];
declare const chosen: string;
declare function choose(options: string[]): Promise<string>;
`;

it("every program of the documentation that decides compiles as pasted, in strict mode", async () => {
  const pages = [
    "README.md",
    "packages/sdk/README.md",
    "docs/index.md",
    "docs/first-trace.md",
    "docs/sdk.md",
  ];
  const texts = await Promise.all(pages.map((page) => readFile(join(SDK, "../..", page), "utf8")));
  const programs = texts
    .flatMap((text) => [...text.matchAll(/```[tj]s\n(.*?)```/gs)].map(([, code = ""]) => code))
    .filter((code) => /^import .*\bdecide\b/m.test(code));
  expect(programs.length).toBeGreaterThanOrEqual(5);
  await writeFile(join(project, "reader.d.ts"), LEFT_TO_THE_READER);
  const names = programs.map((_, index) => `pasted-${index}.mts`);
  await Promise.all(
    programs.map((code, index) => writeFile(join(project, `pasted-${index}.mts`), `${code}\nexport {};`)),
  );
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022", "dom"],
    module: "nodenext",
    types: [],
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
  };
  const config = join(project, "tsconfig.pasted.json");
  await writeFile(config, JSON.stringify({ compilerOptions, files: ["reader.d.ts", ...names] }));
  for (const compiler of COMPILERS) {
    const { stdout } = await run(process.execPath, [compiler, "-p", config]).catch((error) => error);
    expect(stdout).toBe("");
  }
});

describe("it runs", () => {
  it.each([
    ["this Node.js", process.execPath],
    ["the installed Node.js", "node"],
  ])("with one shared state when it is both imported and required: %s", async (_, node) => {
    const fakeServer = await startFakeServer((_request, response, body) =>
      respondJson(response, 200, { success: true, count: JSON.parse(body).traces.length }),
    );
    await writeFile(
      join(project, "both.mjs"),
      `import { createRequire } from "node:module";
         import * as imported from "@whytrace/sdk";
         import { wrapOpenAI } from "@whytrace/sdk/openai";
         const required = createRequire(import.meta.url)("@whytrace/sdk");
         if (required.trace === imported.trace) throw new Error("not two copies");
         const names = await imported.trace("outer", async (t) => {
           await required.span("from the other copy", async () => { required.event("e"); });
           return [typeof wrapOpenAI, required.currentTrace().id === t.id];
         });
         await required.flush({ timeoutMs: 60_000 });
         console.log(JSON.stringify([...names, imported.stats().sent, required.stats().sent]));`,
    );
    const env = {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      WHYTRACE_API_KEY: "wt_test",
      WHYTRACE_URL: fakeServer.url,
    };
    const { stdout } = await run(node, ["both.mjs"], { cwd: project, env });
    expect(JSON.parse(stdout)).toEqual(["function", true, 1, 1]);
    await fakeServer.close();
  });

  it("in an edge runtime without process, Buffer and AsyncLocalStorage", async () => {
    const bodies: string[] = [];
    const send = async (_: string, { body }: { body: string }) => {
      bodies.push(body);
      return new Response('{"success":true,"count":1}');
    };
    const context = createContext({
      ...{
        performance,
        crypto,
        TextEncoder,
        TextDecoder,
        URL,
        AbortController,
        setTimeout,
        clearTimeout,
        console,
      },
      fetch: send,
    });
    runInContext(await bundle("index", "neutral", "iife"), context);
    runInContext((await bundle("feedback", "neutral", "iife")).replace("whytrace", "feedback"), context);
    const work = runInContext(
      `(async () => {
        whytrace.init({ apiKey: "wt_test", url: "https://whytrace.test" });
        const chosen = await whytrace.trace("edge", async (t) => {
          await Promise.resolve();
          await t.span("step", () => 1);
          t.score("helpful", true);
          return t.decide("ROUTING", { options: ["a", "b"], choose: () => "b" });
        });
        const token = feedback.feedbackToken("helpful", { traceId: "of an edge runtime", author: "é" });
        return [chosen, await whytrace.flush({ timeoutMs: 60_000 }), token];
      })()`,
      context,
    );
    const [chosen, isSent, token] = await work;
    expect([chosen, isSent]).toEqual(["b", true]);
    const read = readFeedbackToken(token);
    const secret = feedbackSecret(createHash("sha256").update("wt_test").digest());
    expect(read).toMatchObject({ traceId: "of an edge runtime", name: "helpful", author: "é" });
    expect(read && isSignedWith(secret, read)).toBe(true);
    expect(JSON.parse(bodies[1] ?? "").scores).toMatchObject([{ name: "helpful", value: true }]);
    expect(JSON.parse(bodies[0] ?? "").traces).toMatchObject([
      {
        name: "edge",
        spans: [{ name: "step", output: 1 }],
        decisionPoints: [{ chosen: "b", alternatives: ["a"] }],
      },
    ]);
  });

  it("in a user's bundle, resolved through the package's exports", async () => {
    await writeFile(
      join(project, "app.js"),
      `import { trace } from "@whytrace/sdk"; console.log(typeof trace);`,
    );
    for (const platform of ["browser", "node"] as const) {
      const { output } = await build({ cwd: project, input: "app.js", platform, write: false });
      expect(output[0].code).not.toContain('from "@whytrace/sdk"');
    }
  });
});

it("the welcome page's snippet installs the package next to the checkout and records a decision", async () => {
  const folder = await mkdtemp(join(tmpdir(), "whytrace-welcome-"));
  await symlink(join(SDK, "../.."), join(folder, "whytrace"));
  const agentFolder = join(folder, "agent");
  await mkdir(agentFolder);
  const { server, client, db } = await boot();
  const sender = await newSender(client, db);
  const snippet = snippets(server.url, sender.key, "", "").find(({ label }) => label === "TypeScript SDK");
  await writeFile(join(agentFolder, "snippet.sh"), snippet?.text ?? "");
  // The npm_ variables of this test run would make the snippet's npm commands work on the checkout.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")));
  await run("sh", ["-e", "snippet.sh"], { cwd: agentFolder, env });
  const firstDecision = async () => (await sender.get("/api/decisions")).json.decisions[0];
  // On a busy machine the SDK may give up sending when the process ends, after two seconds: then it runs once more.
  await expect
    .poll(
      async () => {
        if (!(await firstDecision())) await run("node", ["first-trace.mjs"], { cwd: agentFolder, env });
        return firstDecision();
      },
      { timeout: 60_000 },
    )
    .toMatchObject({ type: "TOOL_SELECTION", trace: { name: "my first agent" } });
  await rm(folder, { recursive: true });
});
