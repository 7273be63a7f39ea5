import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { flush, init, stats } from "../../../packages/sdk/src/index.ts";
import { createAgents } from "../../../packages/sdk/test/agents/create-agents.ts";
import { type Call, type Handler, startHandlers } from "../../../packages/sdk/test/handlers.ts";
import { missingRecords } from "../../../packages/sdk/test/missing-records.ts";
import { startProviders } from "../../../packages/sdk/test/providers.ts";

/*
 * Runs an agent of every supported library in every kind of request handler, at once and streamed, and reads the trace
 * back from the server. Every trace must be complete: spans, decision, tokens, status.
 */

const RUNS = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 20);
const MAX_DELIVERY_MS = 5_000;

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const { key, user } = await newTenant(server.url, database.url, LARGE_PLAN);
  const providers = await startProviders();
  onCleanup(() => providers.close());
  const handlers = await startHandlers();
  for (const { close } of handlers) if (close) onCleanup(async () => close());
  init({ url: server.url, apiKey: key, exitHooks: false });

  const missing = async (handler: Handler, call: Call): Promise<string[]> => {
    const body = await handler.respond(call);
    if (handler.isFrozen && stats().queued + stats().open > 0)
      return ["the trace when the process is frozen"];
    const deadline = Date.now() + MAX_DELIVERY_MS;
    while (true) {
      await flush();
      const { status, json } = await user.get(`/api/traces/${call.traceId}`);
      const found = missingRecords(status === 200 ? json : undefined, body);
      if (found.length === 0 || Date.now() > deadline) return found;
      await sleep(10);
    }
  };

  const agents = createAgents(providers.url);
  const rows: { agent: string; isStreamed: boolean; handler: string; complete: number }[] = [];
  for (const agent of agents)
    for (const isStreamed of [false, true]) {
      for (const handler of handlers) {
        const row = { agent: agent.name, isStreamed, handler: handler.name, complete: 0 };
        rows.push(row);
        for (let run = 0; run < RUNS; run++) {
          const found = await missing(handler, { agent, isStreamed, traceId: randomUUID() });
          if (found.length === 0) row.complete++;
          else console.log(`${JSON.stringify(row)}: missing ${found.join(", ")}`);
        }
      }
      const results = rows.slice(-handlers.length).map((row) => `${row.handler}: ${row.complete} of ${RUNS}`);
      console.log(`${agent.name}, ${isStreamed ? "streamed" : "at once"}: ${results.join("; ")}`);
    }
  const { sent, dropped, queued, open, lastError } = stats();
  console.log(
    `${sent} sent, ${dropped} dropped, ${queued} queued, ${open} open, last error: ${lastError?.message}`,
  );
  if (process.argv.includes("--json")) console.log(JSON.stringify({ runs: RUNS, rows, sent, dropped }));
  return sent === RUNS * rows.length && rows.every(({ complete }) => complete === RUNS);
});
