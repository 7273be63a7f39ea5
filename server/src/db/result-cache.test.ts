import { type Booted, boot } from "@whytrace/testing/boot.ts";
import { Client } from "@whytrace/testing/client.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/sample-traces.ts";
import { beforeAll, describe, expect, it } from "vitest";

let first: Booted;
let second: Booted;
let alice: Sender;
beforeAll(async () => {
  first = await boot();
  second = await boot({ DATABASE_URL: first.databaseUrl });
  alice = await newSender(first.client, first.db);
});

/** Requests the total from both servers, twice each: the second response comes from the cache. */
async function totals(path: string): Promise<number[]> {
  const onSecond = new Client(second.client.url, alice.cookie);
  const found: number[] = [];
  for (const client of [alice, onSecond, alice, onSecond]) found.push((await client.get(path)).json.total);
  return found;
}
const everywhere = (total: number) => [total, total, total, total];

describe("a cached result", () => {
  it("is exact after every change, on every server", async () => {
    const search = "/api/traces?search=needle";
    const decisions = "/api/decisions?search=needle";
    expect(await totals(search)).toEqual(everywhere(0));
    const sent = trace({ name: "a needle", decisionPoints: [decision(), decision()] });
    await alice.send([sent]);
    expect(await totals(search)).toEqual(everywhere(1));
    expect(await totals(decisions)).toEqual(everywhere(2));
    // Changes no stored total, only the text that the search matches.
    await alice.send([{ ...sent, name: "hay" }]);
    expect(await totals(search)).toEqual(everywhere(0));
    expect(await totals(decisions)).toEqual(everywhere(0));
    await alice.send([sent]);
    expect(await totals(search)).toEqual(everywhere(1));
    await alice.delete(`/api/traces/${sent.id}`);
    expect(await totals(search)).toEqual(everywhere(0));
    expect(await totals(decisions)).toEqual(everywhere(0));
  });

  it("of a chart is exact after every change, on every server", async () => {
    const range = "from=2026-05-01&to=2026-05-08";
    const counts = async (client: Client) => {
      const [traces, errors, choices] = await Promise.all(
        ["traces", "errors", "choices"].map(
          async (kind) => (await client.get(`/api/stats/${kind}?${range}`)).json,
        ),
      );
      return [traces.total.traces.ERROR, errors.errors.length, choices.choices.length];
    };
    const onSecond = new Client(second.client.url, alice.cookie);
    const all = async () => [await counts(alice), await counts(onSecond), await counts(onSecond)];
    expect(await all()).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]);
    const startedAt = "2026-05-02T10:00:00.000Z";
    const sent = trace({
      status: "ERROR",
      startedAt,
      spans: [span({ status: "ERROR", startedAt })],
      decisionPoints: [decision({ chosen: "it", timestamp: startedAt })],
    });
    await alice.send([sent]);
    expect(await all()).toEqual([
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 1],
    ]);
    await alice.send([{ ...sent, status: "COMPLETED", spans: [] }]);
    expect(await all()).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]);
    await alice.send([sent]);
    await alice.delete(`/api/traces/${sent.id}`);
    expect(await all()).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  it("is not shared between users", async () => {
    const bob = await newSender(first.client, first.db);
    await alice.send([trace({ name: "shared word" })]);
    const path = "/api/traces?search=shared";
    expect((await alice.get(path)).json.total).toBe(1);
    expect((await bob.get(path)).json.total).toBe(0);
  });
});
