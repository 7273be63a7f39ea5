import {
  decision,
  event,
  newSender,
  type Sender,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { Client, expectStatus } from "@whytrace/testing/server/client.ts";
import { beforeAll, describe, expect, it } from "vitest";

let booted: Booted;
beforeAll(async () => {
  booted = await boot();
});

/** A user with traces `t00` to `t29`, every third of which failed, and a key to read them. */
async function newReader() {
  const sender = await newSender(booted.client, booted.db);
  const prefix = sender.workspaceId.slice(0, 8);
  const idOf = (n: number) => `${prefix}-t${String(n).padStart(2, "0")}`;
  const ids = Array.from({ length: 30 }, (_, n) => idOf(n));
  expectStatus(await sender.send(ids.map((id, n) => numbered(id, n))), 200);
  const { key } = (await sender.post("/api/keys", { name: "reader", scope: "read" })).json;
  const headers = { authorization: `Bearer ${key}` };
  const read = (path: string) => new Client(booted.client.url).get(path, { headers });
  return { sender, ids, idOf, read };
}

const numbered = (id: string, n: number, overrides = {}) =>
  trace({
    id,
    status: n % 3 === 0 ? "ERROR" : "COMPLETED",
    startedAt: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
    spans: [span({ input: { n } })],
    decisionPoints: [decision()],
    events: [event({ metadata: { n } })],
    ...overrides,
  });

/** Other writers: new traces on both sides, a trace that is replaced and moves in time, and a deleted one. */
async function disturb({ send, delete: remove }: Sender, idOf: (n: number) => string) {
  const moved = (n: number, day: number) =>
    numbered(idOf(n), n, { startedAt: new Date(Date.UTC(2026, 1, day)).toISOString(), totalCost: day });
  expectStatus(await send([moved(2, 3), moved(25, 4)]), 200);
  expectStatus(await send([trace({ id: `${idOf(0)}-new` }), trace({ id: `${idOf(28)}-new` })]), 200);
  expectStatus(await remove(`/api/traces/${idOf(29)}`), 200);
}

describe("a list that is read with a cursor", () => {
  it("has nothing twice, and everything that stays from start to end, whatever is stored meanwhile", async () => {
    const { sender, ids, idOf, read } = await newReader();
    const seen: string[] = [];
    for (let cursor: string | null = "start"; cursor !== null; ) {
      const response = await read(`/api/traces?limit=7&cursor=${cursor}`);
      const page: { traces: { id: string }[]; nextCursor: string | null } = expectStatus(response, 200).json;
      expect(Object.keys(page)).toEqual(["traces", "limit", "nextCursor"]);
      seen.push(...page.traces.map(({ id }) => id));
      if (cursor === "start") await disturb(sender, idOf);
      cursor = page.nextCursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => ids.includes(id))).toEqual(ids.slice(0, 29));
  });

  it("refuses a cursor of other filters, one that is not ours, and a page or sort beside it", async () => {
    const { read } = await newReader();
    const { nextCursor } = (await read("/api/traces?status=ERROR&limit=3&cursor=start")).json;
    expect((await read(`/api/traces?status=ERROR&limit=100&cursor=${nextCursor}`)).json).toMatchObject({
      traces: { length: 7 },
      nextCursor: null,
    });
    for (const query of [
      `cursor=${nextCursor}`,
      `status=COMPLETED&cursor=${nextCursor}`,
      `status=ERROR&cursor=${nextCursor.slice(0, -4)}`,
      "cursor=nonsense",
      "cursor=start&page=2",
      "cursor=start&sort=newest",
    ]) {
      const { status, json } = await read(`/api/traces?${query}`);
      expect([query, status, json.error]).toEqual([query, 400, expect.stringMatching(/^Invalid cursor/)]);
    }
  });
});

describe("an export", () => {
  const linesOf = (text: string) =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));

  it("is each trace once, as it is returned alone, with its outcome, in one line whatever white space was sent", async () => {
    const { sender, ids, read } = await newReader();
    const spaced = JSON.stringify({ traces: [numbered("spaced", 1)] }).replaceAll('"n":', '"n":\n\r\n');
    const { status } = await sender.request("POST", "/api/traces", {
      raw: spaced.replaceAll("spaced", `${sender.workspaceId}-spaced`),
      headers: { authorization: `Bearer ${sender.key}` },
    });
    expect(status).toBe(200);
    const exported = await read("/api/export/traces");
    expect(exported.headers.get("content-type")).toBe("application/x-ndjson");
    const lines = linesOf(exported.text);
    expect(lines).toHaveLength(ids.length + 1);
    for (const [line, outcome] of [
      [lines[0], "good"],
      [lines[1], "bad"],
      [lines.at(-1), "good"],
    ])
      expect(line).toEqual({ ...(await read(`/api/traces/${line.id}`)).json, outcome });
  });

  it("hides no trace, whatever its id", async () => {
    const { sender, read } = await newReader();
    expectStatus(await sender.send([trace({ id: "export", name: "an id like a word of a path" })]), 200);
    expect((await read("/api/traces/export")).json).toMatchObject({ name: "an id like a word of a path" });
  });

  it("takes the filters of the list and ids, leaves payloads out if told, and holds nobody else's traces", async () => {
    const { sender, ids, read } = await newReader();
    const other = await newReader();
    const failed = linesOf((await read("/api/export/traces?status=ERROR&payloads=false")).text);
    expect(failed).toHaveLength(10);
    expect(failed[0]).toEqual({
      ...(await sender.get(`/api/traces/${ids[0]}/outline`)).json,
      outcome: "bad",
    });
    const wanted = [ids[4], "unknown", other.ids[4], ids[3]].join(",");
    const named = linesOf((await read(`/api/export/traces?ids=${wanted}`)).text);
    expect(named.map(({ id }) => id)).toEqual([ids[3], ids[4]]);
    expect((await read(`/api/export/traces?ids=${"x,".repeat(201)}`)).status).toBe(400);
  });
});
