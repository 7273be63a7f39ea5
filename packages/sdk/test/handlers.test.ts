import { randomUUID } from "node:crypto";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { afterAll, describe, expect, it } from "vitest";
import { flush, stats } from "../src/index.ts";
import { createAgents } from "./agents/create-agents.ts";
import { startHandlers } from "./handlers.ts";
import { missingRecords } from "./missing-records.ts";
import { startProviders } from "./providers.ts";
import { useTestClient } from "./use-test-client.ts";

/* Once for each combination; lab/trials/sdk/sdk-handlers.ts repeats them. */

const { server, client, db } = await boot();
const sender = await newSender(client, db);
const providers = await startProviders();
const handlers = await startHandlers();
afterAll(async () => {
  for (const handler of handlers) await handler.close?.();
  await providers.close();
});

describe.each(handlers)("in a $name", (handler) => {
  const agents = createAgents(providers.url);
  it.each(
    agents.flatMap((agent) => [
      [agent.name, "at once", agent] as const,
      [agent.name, "streamed", agent] as const,
    ]),
  )("the trace is complete: %s, %s", async (_name, how, agent) => {
    const { errors } = useTestClient({ url: server.url, apiKey: sender.key });
    const traceId = randomUUID();
    const body = await handler.respond({ agent, isStreamed: how === "streamed", traceId });
    if (handler.isFrozen) expect(stats()).toMatchObject({ sent: 1, queued: 0, open: 0 });
    await expect
      .poll(async () => {
        await flush();
        const { json } = await sender.get(`/api/traces/${traceId}`);
        return missingRecords(json.id ? json : undefined, body);
      })
      .toEqual([]);
    expect(stats()).toMatchObject({ sent: 1, dropped: 0, queued: 0, open: 0 });
    expect(errors).toEqual([]);
  });
});
