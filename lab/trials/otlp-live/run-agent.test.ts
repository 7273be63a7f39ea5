import { freePort } from "@whytrace/testing/free-port.ts";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { afterAll, expect, it } from "vitest";
import { startProviders } from "../../../packages/sdk/test/providers.ts";
import { AI_SDK, ANTHROPIC, PLAIN_PYTHON } from "./agents.ts";
import { hasPython, missingParts, runAgent } from "./run-agent.ts";

/* The agents whose packages are installed anyway. The trial runs all of them. */

const { server, client, db } = await boot();
const providers = await startProviders();
afterAll(() => providers.close());

const agents = [AI_SDK, ANTHROPIC, ...((await hasPython()) ? [PLAIN_PYTHON] : [])];

it.each(agents)("the trace of $file has all that its instrumentation sends", async (agent) => {
  const sender = await newSender(client, db);
  const destination = { url: server.url, key: sender.key, providerUrl: providers.url };
  expect(await runAgent(agent, destination)).toBe(0);
  const { json: list } = await sender.get("/api/traces");
  expect(list.total).toBe(1);
  const { json: trace } = await sender.get(`/api/traces/${list.traces[0].id}`);
  expect(missingParts(agent, trace)).toEqual([]);
  expect(trace.status).toBe("COMPLETED");
});

it.each([AI_SDK, ANTHROPIC])("$file ends with exit code 0 if no server listens", async ({ file, env }) => {
  const agent = { file, env: { ...env, OTEL_EXPORTER_OTLP_TIMEOUT: "1000" } };
  const url = `http://127.0.0.1:${await freePort()}`;
  expect(await runAgent(agent, { url, key: "wt_key", providerUrl: providers.url })).toBe(0);
});
