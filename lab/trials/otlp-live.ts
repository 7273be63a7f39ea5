import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { startProviders } from "../../packages/sdk/test/providers.ts";
import { AI_SDK, ANTHROPIC, OTHERS, PLAIN_PYTHON } from "./otlp-live/agents.ts";
import { hasPython, missingParts, type ReturnedTrace, runAgent } from "./otlp-live/run-agent.ts";

/*
 * Runs an agent with each of the real instrumentations against a stand-in for the model providers, lets it report to a
 * server over OTLP, and reads the trace back.
 */

const FOLDER = join(import.meta.dirname, "otlp-live");

await runTrial(async (onCleanup) => {
  const names = process.argv.slice(2);
  const agents = [AI_SDK, ANTHROPIC, ...OTHERS];
  if (await hasPython()) agents.push(PLAIN_PYTHON);
  if (!existsSync(join(FOLDER, "node_modules")))
    await promisify(execFile)(
      "npm",
      ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--legacy-peer-deps"],
      { cwd: FOLDER },
    );
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const providers = await startProviders();
  onCleanup(() => providers.close());

  let hasPassed = true;
  for (const agent of agents.filter(({ file }) => names.length === 0 || names.includes(file))) {
    const { key, user } = await newTenant(server.url, database.url, LARGE_PLAN);
    const exitCode = await runAgent(agent, { url: server.url, key, providerUrl: providers.url });
    const { json: list } = await user.get("/api/traces");
    const { json: trace } = await user.get(`/api/traces/${list.traces[0]?.id}`);
    const problems =
      exitCode !== 0 || list.total !== 1
        ? [`it ended with ${exitCode} and sent ${list.total} traces`]
        : missingParts(agent, trace).map((part) => `missing: ${part}`);
    if (problems.length > 0) hasPassed = false;
    const found = list.total === 1 ? describe(trace) : "";
    console.log([`${agent.file}: ${found}`, ...problems].join("; "));
  }
  return hasPassed;
});

function describe({ spans, totalTokens, decisionPoints }: ReturnedTrace): string {
  return `${spans.length} spans, ${totalTokens} tokens, ${decisionPoints.length} decisions`;
}
