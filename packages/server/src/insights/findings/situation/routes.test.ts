import { worldTraces } from "@whytrace/lab/worlds/world-traces.ts";
import { newSender, type Sender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { beforeAll, describe, expect, it } from "vitest";

const { client, db } = await boot();

const RUNS = 300;
const STEP_MS = 3_600_000;
const KEYS = "/api/insights/situation-keys?agent=worker";

describe("of an agent whose hard cases are recorded", () => {
  let user: Sender;
  beforeAll(async () => {
    user = await newSender(client, db);
    const { traces } = worldTraces({
      world: "hard cases, recorded",
      name: "worker",
      // An agent whose hard cases make an innocent tool look guilty.
      number: 1,
      runs: RUNS,
      startedAtMs: Date.now() - RUNS * STEP_MS - STEP_MS,
      stepMs: STEP_MS,
    });
    const tagged = traces.map((one, index) => ({
      ...one,
      tags: [...one.tags, "env:prod", `tier:${index % 3}`, ...(index % 2 === 0 ? [`half:${index % 4}`] : [])],
      metadata: { ...one.metadata, order: `${index}` },
    }));
    expectStatus(await user.send(tagged), 200);
  });

  it("suggests keys with few values that most runs have, of metadata and tags", async () => {
    const { json } = expectStatus(await user.get(KEYS), 200);
    expect(json).toMatchObject({ agent: "worker", keys: [] });
    expect(json.suggestions.map(({ key }: { key: string }) => key)).toEqual(["case.kind", "tier"]);
    expect(json.suggestions[1]).toEqual({ key: "tier", values: 3, share: 1 });
  });

  it("compares only runs of the same situation, from the next look on", async () => {
    const read = async () => (await user.get("/api/insights/findings?agent=worker")).json;
    const before = await read();
    expect(before.notes).toContain("no-situation");
    const worse = (rows: { group: string }[]) => rows.filter(({ group }) => group === "worse");
    expect(worse(before.rows).length).toBeGreaterThan(0);
    const saved = await user.put(KEYS, { keys: ["case.kind"] });
    expect(expectStatus(saved, 200).json).toEqual({ agent: "worker", keys: ["case.kind"] });
    expect((await user.get(KEYS)).json.keys).toEqual(["case.kind"]);
    const after = await read();
    expect(worse(after.rows)).toEqual([]);
    expect(after.notes).toEqual([]);
    await user.put(KEYS, { keys: [] });
    expect((await user.get(KEYS)).json.keys).toEqual([]);
    expect((await read()).notes).toContain("no-situation");
  });
});

it("takes at most three keys, each once, of an agent that is named", async () => {
  const user = await newSender(client, db);
  const put = async (keys: unknown, path = KEYS) => (await user.put(path, { keys })).status;
  expect(await put(["a", "b", "c"])).toBe(200);
  expect(await put(["a", "b", "c", "d"])).toBe(400);
  expect(await put(["a", "a"])).toBe(400);
  expect(await put(["x".repeat(100)])).toBe(200);
  expect(await put(["x".repeat(101)])).toBe(400);
  expect(await put(["a"], "/api/insights/situation-keys")).toBe(400);
  expect((await user.get("/api/insights/situation-keys")).json.error).toBe("agent is required");
});

it("keeps the keys of workspaces apart", async () => {
  const [one, other] = [await newSender(client, db), await newSender(client, db)];
  await one.put(KEYS, { keys: ["mine"] });
  expect((await other.get(KEYS)).json).toEqual({ agent: "worker", keys: [], suggestions: [] });
});
