// Follows each guide of OpenTelemetry literally: its commands in an empty folder that has only what a reader has already (its agent and
// framework), and its lines in the reader's program, with a stand-in for the model's provider. Prints minutes from the first command
// to the first decision, and what arrived. Names of pages as arguments choose some. Installs about 2 GB of packages, one guide at a time.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { cleanEnvironment } from "../../../tools/timed-steps.ts";
import { startOrderProvider } from "./guides/order-provider.ts";
import { READERS, type Reader } from "./guides/readers.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** Logs that complete spans follow after some seconds. */
const MAX_ARRIVAL_MS = 30_000;
/** npm takes minutes on a busy machine. */
const MAX_COMMANDS_MS = 900_000;

const blocks = (text: string, languages: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`(?:${languages})\\n(.*?)^\`\`\``, "gms"))].map(
    ([, code = ""]) => code,
  );

function bash(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve) =>
    execFile(
      "bash",
      ["-e", "-c", script],
      { cwd, env, maxBuffer: 2 ** 26, timeout: MAX_COMMANDS_MS },
      (error, _stdout, stderr) =>
        resolve(error ? `${error.message.slice(0, 200)}\n${stderr.slice(-1_500)}` : undefined),
    ),
  );
}

/** The commands of the guide, with the address and the key of this server. */
function commandsOf(page: string, { install = 0 }: Reader, server: string, key: string): string {
  const own = (text: string) => text.replaceAll("http://127.0.0.1:3000", server).replaceAll("wt_...", key);
  const commands = blocks(page, "sh").map(own);
  const installs = commands.filter((block) => block.startsWith("npm install"));
  return [
    typeof install === "string" ? install : (installs[install] ?? ""),
    ...commands.filter((block) => block.startsWith("export")),
  ].join("\n");
}

await runTrial(async (onCleanup) => {
  const names = process.argv.slice(2);
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const provider = await startOrderProvider();
  onCleanup(() => provider.close());

  let hasPassed = true;
  for (const reader of READERS.filter(({ page }) => names.length === 0 || names.includes(page))) {
    const title = [reader.page, reader.way].filter(Boolean).join(", ");
    const page = readFileSync(join(ROOT, `docs/opentelemetry/${reader.page}.md`), "utf8");
    const { key, user } = await newTenant(server.url, database.url, LARGE_PLAN);
    const folder = mkdtempSync(join(tmpdir(), "whytrace-guide-"));
    onCleanup(() => rm(folder, { recursive: true, force: true }));
    const env = {
      ...cleanEnvironment(process.execPath),
      npm_config_loglevel: "error",
      npm_config_audit: "false",
      npm_config_fund: "false",
      WHYTRACE_API_KEY: key,
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: `${provider.url}/v1`,
      ANTHROPIC_API_KEY: "none",
      ANTHROPIC_BASE_URL: provider.url,
      GEMINI_API_KEY: "none",
      GOOGLE_GEMINI_BASE_URL: provider.url,
      ...reader.env,
    };
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    const had = reader.packages && (await bash(`npm install ${reader.packages}`, folder, env));
    const programs = blocks(page, "js|ts").map((code) =>
      code.replaceAll("http://127.0.0.1:3000", server.url),
    );
    for (const [name, code] of Object.entries(reader.files(programs)))
      writeFileSync(join(folder, name), code);
    const startedAt = performance.now();
    const commands = commandsOf(page, reader, server.url, key);
    const run = `node ${(reader.args ?? ["agent.mjs"]).join(" ")}`;
    const failure = had || (await bash(`${commands}\n${run}`, folder, env));
    const decisions = async (): Promise<number> => (await user.get("/api/decisions")).json.total;
    const deadline = performance.now() + (failure ? 0 : MAX_ARRIVAL_MS);
    const isThere = async () =>
      reader.decisions > 0
        ? (await decisions()) >= reader.decisions
        : (await user.get("/api/traces")).json.total > 0;
    while (!(await isThere()) && performance.now() < deadline) await sleep(200);
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
    const { json } = await user.get("/api/traces");
    const spans = json.traces.reduce(
      (sum: number, one: { _count: { spans: number } }) => sum + one._count.spans,
      0,
    );
    const found = await decisions();
    const isRight = !failure && json.total > 0 && found >= reader.decisions;
    hasPassed &&= isRight;
    console.log(
      `${title}: ${isRight ? "" : "NOT AS THE PAGE SAYS, "}${minutes} min, ${json.total} traces, ${spans} spans, ${found} decisions`,
    );
    if (failure) console.log(failure);
    await rm(folder, { recursive: true, force: true });
  }
  return hasPassed;
});
