import { newSender, type Sender, sendAs, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import type { Client } from "@whytrace/testing/server/client.ts";
import { beforeAll, expect, it } from "vitest";

let first: Booted;
let second: Booted;
let user: Sender;
beforeAll(async () => {
  first = await boot();
  second = await boot({ DATABASE_URL: first.databaseUrl });
  user = await newSender(first.client, first.db);
});

it("stores and counts a trace once if two servers get its first version at the same time", async () => {
  const ids: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    const sent = trace({ spans: [span(), span()] });
    ids.push(sent.id);
    const post = ({ client }: { client: Client }) => sendAs(client, user.key, { traces: [sent] });
    const responses = await Promise.all([post(first), post(second), post(first), post(second)]);
    expect(responses.map(({ status, json }) => [status, json.count])).toEqual(Array(4).fill([200, 1]));
  }
  expect((await user.get("/api/billing")).json.sessionsUsed).toBe(ids.length);
  const { traces, total } = (await user.get("/api/traces?limit=100")).json;
  expect(total).toBe(ids.length);
  expect(traces.map(({ _count }: { _count: { spans: number } }) => _count.spans)).toEqual(ids.map(() => 2));
});
