// Follows the start page literally, each of its three ways on a server of its own: its commands until the first decision is printed,
// then the same commands for 120 runs that choose differently, until Why names the choice that fails. Prints the seconds of the
// machine. Needs `npm run build`.
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runTrial } from "@whytrace/testing/trial.ts";
import { startPackedDev } from "../../../tools/packed-dev.ts";
import { cleanEnvironment } from "../../../tools/timed-steps.ts";

const ROOT = join(import.meta.dirname, "../../..");
const RUNS = 120;
/** Why may need a moment after the last run. */
const MAX_WHY_MS = 120_000;
const LOOK_EVERY_MS = 500;

/** Half of the runs choose each option. Every second run with `search_docs` fails, and none with `ask_human`. */
const RUN_LIST = Array.from({ length: RUNS }, (_, index) => {
  const isSearch = index % 2 === 0;
  return { index, chosen: isSearch ? "search_docs" : "ask_human", isBad: isSearch && index % 4 === 0 };
});
type Run = (typeof RUN_LIST)[number];

const page = readFileSync(join(ROOT, "docs/index.md"), "utf8");

interface Block {
  language: string;
  code: string;
}

function blocksOf(heading: string): Block[] {
  const [, section = ""] = new RegExp(`^### ${heading}$(.*?)^##`, "ms").exec(page) ?? [];
  return [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = "", code = ""]) => ({
    language,
    code,
  }));
}

/** Fails if the page no longer has what is replaced: the runs would all be the same. */
function replaced(text: string, changes: [from: string, to: string][]): string {
  return changes.reduce((current, [from, to]) => {
    if (!current.includes(from)) throw new Error(`The start page no longer has ${from}`);
    return current.replace(from, to);
  }, text);
}

/** The request of the page as one of many runs. */
function swapOptions(request: string, { chosen }: Run): string {
  if (chosen === "search_docs") return request;
  return request.replace(/search_docs|ask_human/g, (name) =>
    name === "ask_human" ? "search_docs" : "ask_human",
  );
}

const byOpenTelemetry = (request: string, run: Run) =>
  swapOptions(
    replaced(request, [
      ["5b8efff798038103d269b6", `5b8efff798038103${String(run.index).padStart(6, "0")}`],
      ['"name": "support-agent",', `"name": "support-agent", "status": { "code": ${run.isBad ? 2 : 1} },`],
    ]),
    run,
  );

const byCurl = (request: string, run: Run) =>
  swapOptions(
    replaced(request, [
      ["first-trace-", `run-${run.index}-`],
      ['"status": "COMPLETED"', `"status": "${run.isBad ? "ERROR" : "COMPLETED"}"`],
    ]),
    run,
  );

const bySdk = (program: string) =>
  `const RUNS = ${JSON.stringify(RUN_LIST)};\n${replaced(program, [
    ["await trace(", "for (const { chosen, isBad } of RUNS)\nawait trace("],
    ['chosen: "search_docs"', "chosen"],
    [
      'async () => ["policy.md"]',
      'async () => { if (isBad) throw new Error("policy not found"); return ["policy.md"]; }',
    ],
  ]).replace(/\}\);\s*$/, "}).catch(() => {});\n")}`;

const requestOf = (blocks: Block[]) => blocks.find(({ code }) => code.startsWith("curl "))?.code ?? "";

interface Way {
  heading: string;
  /** What the agent runs for all runs: a script of the shell. */
  allRuns(blocks: Block[]): string;
}

const WAYS: Way[] = [
  {
    heading: "By OpenTelemetry",
    allRuns: (blocks) =>
      [
        ...blocks
          .filter(({ code }) => code.startsWith("export "))
          .map(({ code }) => code.replace(/^npx .*$/m, "")),
        ...RUN_LIST.map((run) => byOpenTelemetry(requestOf(blocks), run)),
      ].join("\n"),
  },
  {
    heading: "By the SDK",
    allRuns: (blocks) => {
      const program = blocks.find(({ language }) => language === "js")?.code ?? "";
      return `cat > agent.mjs <<'END'\n${bySdk(program)}END\nnode agent.mjs`;
    },
  },
  {
    heading: "By curl",
    allRuns: (blocks) => RUN_LIST.map((run) => byCurl(requestOf(blocks), run)).join("\n"),
  },
];

/** The commands of the page. A program is pasted into the file that its first line names; it waits for nobody. */
const commandsOf = (blocks: Block[]) =>
  blocks
    .filter(({ language }) => language === "sh" || language === "js")
    .map(({ language, code }) => (language === "sh" ? code : `cat > agent.mjs <<'END'\n${code}END`))
    .join("\n");

function shell(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) =>
    execFile("bash", ["-c", script], { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      // `doctor` exits with 1 while nothing has arrived, and says so.
      error && error.code !== 1 ? reject(new Error(`${error.message}\n${stderr}`)) : resolve(stdout),
    ),
  );
}

const secondsSince = (startedAt: number) => ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6);

await runTrial(async (onCleanup) => {
  let isRight = true;
  for (const { heading, allRuns } of WAYS) {
    const folder = mkdtempSync(join(tmpdir(), "whytrace-start-page-"));
    onCleanup(() => rm(folder, { recursive: true, force: true }));
    // Started by root, PostgreSQL runs as another user, which must be able to read this folder.
    chmodSync(folder, 0o755);
    const project = join(folder, "agent");
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), '{"name":"agent","private":true}');
    symlinkSync(ROOT, join(folder, "whytrace"));
    const data = join(folder, "data");
    const clean: NodeJS.ProcessEnv = { ...cleanEnvironment(), WHYTRACE_DATA: data, XDG_CONFIG_HOME: folder };
    const startedAt = performance.now();
    const dev = await startPackedDev({ folder: ROOT, data, env: clean });
    let isStopped = false;
    const stop = async () => {
      if (!isStopped) await dev.stop();
      isStopped = true;
    };
    onCleanup(stop);
    console.log(`${heading}: ${secondsSince(startedAt)} s until \`npx whytrace dev\` has printed the key`);
    const env = { ...clean, WHYTRACE_URL: dev.ready.url, WHYTRACE_API_KEY: dev.ready.apiKey };
    const whytrace = `node ${join(ROOT, "packages/cli/bin/whytrace.js")}`;
    /** The commands of the clone work in the clone alone; here they are run from the project. */
    const run = (script: string) => shell(script.replaceAll("npx whytrace", whytrace), project, env);
    const until = async (script: string, expected: RegExp) => {
      const deadline = performance.now() + MAX_WHY_MS;
      for (let output = ""; performance.now() < deadline; await sleep(LOOK_EVERY_MS)) {
        output = await run(script);
        if (expected.test(output)) return output;
      }
      return undefined;
    };
    const blocks = blocksOf(heading);
    const pastedAt = performance.now();
    await run(commandsOf(blocks));
    const decision = await until("npx whytrace trace --last", /◆ Tool selection: search_docs not ask_human/);
    console.log(`${heading}: ${secondsSince(pastedAt)} s from the first command to the first decision`);
    const agentAt = performance.now();
    await run(allRuns(blocks));
    console.log(`${heading}: ${secondsSince(agentAt)} s for ${RUNS} runs of the agent`);
    const row = await until('npx whytrace why --from "$(date -u +%F)"', /`?search_docs`? explains \d+ of/);
    console.log(`${heading}: ${secondsSince(pastedAt)} s from the first command to the first row of Why`);
    console.log(`  ${row?.split("\n").find((line) => /search_docs`? explains/.test(line)) ?? "no row"}`);
    isRight &&= decision !== undefined && row !== undefined;
    await stop();
  }
  return isRight;
});
