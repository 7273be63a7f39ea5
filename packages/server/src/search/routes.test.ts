import {
  decision,
  event,
  newSender,
  type Sender,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { DirectoryWriter } from "../payloads/payload-directory.ts";
import { compressInline } from "../payloads/zstd.ts";

const { client, db } = await boot({ METRICS_TOKEN: "token" });

async function metric(name: string): Promise<number> {
  const { text } = await client.get("/metrics", { headers: { authorization: "Bearer token" } });
  return Number(new RegExp(`^whytrace_${name} (\\S+)$`, "m").exec(text)?.[1]);
}

// biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape it expects
type Line = any;

async function search(user: Sender, query: Record<string, string | number>): Promise<Line[]> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  const response = await user.get(`/api/search?${parameters}`);
  expect(response.status, response.text).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  return response.text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const hitsOf = (lines: Line[]) => lines.filter(({ kind }) => kind === "hit");
const placesOf = (lines: Line[]) =>
  hitsOf(lines).map(({ record, field }) => `${record.kind} ${record.name}: ${field}`);
const endOf = (lines: Line[]) => lines.at(-1);

/** One child of a stored trace, with its payloads as JSON text. */
interface Child {
  kind: "spans" | "events";
  position: number;
  payloads: (string | null)[];
}

/** Stores payloads in parts; the children of each part are in order. */
async function storePacked(workspaceId: string, traceId: string, parts: Child[][]) {
  await sql`delete from trace_payloads where workspace_id = ${workspaceId} and trace_id = ${traceId}`.execute(
    db,
  );
  for (const [number, children] of parts.entries()) {
    const directory = new DirectoryWriter();
    for (const { kind, position, payloads } of children) {
      directory.addChild(kind, position);
      for (const payload of payloads)
        directory.addLength(kind, payload === null ? null : Buffer.byteLength(payload));
    }
    const content = Buffer.from(children.flatMap(({ payloads }) => payloads).join(""));
    await sql`
      insert into trace_payloads (workspace_id, trace_id, part, directory, bytes)
      values (${workspaceId}, ${traceId}, ${number}, ${directory.encode(content.length)}, ${compressInline(content)})`.execute(
      db,
    );
  }
}

describe("GET /api/search", async () => {
  const user = await newSender(client, db);

  it("finds text in every field of every record, and says where and between what", async () => {
    const own = await newSender(client, db);
    const sent = trace({
      name: "The Needle's run",
      metadata: { team: "needle" },
      spans: [
        span({
          id: "s1",
          name: "needle call",
          statusMessage: "Needle failed",
          input: { text: 'a "NEEDLE" in\nhay' },
          output: ["needle"],
          metadata: { needle: 1 },
        }),
      ],
      decisionPoints: [
        decision({
          id: "d1",
          reasoning: "a needle",
          chosen: { tool: "needles" },
          alternatives: ["needle"],
          contextSnapshot: { deep: [{ needle: true }] },
        }),
      ],
      events: [event({ id: "e1", name: "needle event", metadata: "needle" })],
    });
    await own.send([sent, trace({ name: "another" })]);
    const lines = await search(own, { q: "needle", traceId: sent.id });
    expect(placesOf(lines)).toEqual([
      "trace The Needle's run: name",
      "trace The Needle's run: metadata",
      "span needle call: name",
      "span needle call: statusMessage",
      "span needle call: input",
      "span needle call: output",
      "span needle call: metadata",
      "decisionPoint needles: reasoning",
      "decisionPoint needles: chosen",
      "decisionPoint needles: alternatives",
      "decisionPoint needles: contextSnapshot",
      "event needle event: name",
      "event needle event: metadata",
    ]);
    expect(hitsOf(lines)[4]).toEqual({
      kind: "hit",
      traceId: sent.id,
      traceName: "The Needle's run",
      traceStartedAt: sent.startedAt,
      status: "COMPLETED",
      record: { kind: "span", id: "s1", name: "needle call" },
      field: "input",
      before: '{"text":"a "',
      match: "NEEDLE",
      after: '" in\nhay"}',
    });
    expect(lines[0]).toEqual({ kind: "progress", traces: 0, totalTraces: 1, bytes: 0 });
    expect(endOf(lines)).toEqual({ kind: "end", cursor: null, traces: 1, bytes: expect.any(Number) });
  });

  it("shows up to three hits of a trace and counts the others", async () => {
    const own = await newSender(client, db);
    await own.send([
      trace({ name: "older", startedAt: "2026-01-01T00:00:00Z", spans: [span({ input: "pin" })] }),
      trace({
        name: "newer",
        startedAt: "2026-01-02T00:00:00Z",
        spans: Array.from({ length: 5 }, (_, n) => span({ name: `s${n}`, input: "pin", output: "PIN" })),
      }),
    ]);
    const lines = await search(own, { q: "pin" });
    expect(hitsOf(lines).map((hit) => [hit.traceName, hit.record.name, hit.field, hit.moreInTrace])).toEqual([
      ["newer", "s0", "input", undefined],
      ["newer", "s0", "output", undefined],
      ["newer", "s1", "input", 7],
      ["older", "call model", "input", undefined],
    ]);
    const [newest] = hitsOf(lines);
    expect(hitsOf(await search(own, { q: "pin", traceId: newest.traceId }))).toHaveLength(10);
    const some = await search(own, { q: "pin", traceId: newest.traceId, limit: 4 });
    expect(hitsOf(some).map(({ moreInTrace }) => moreInTrace)).toEqual([undefined, undefined, undefined, 6]);
  });

  it("finds the same in payloads that are packed together and in several parts", async () => {
    const own = await newSender(client, db);
    const sent = trace({
      spans: [span({ name: "s0" }), span({ name: "s1" })],
      events: [event({ name: "e0" })],
    });
    await own.send([sent]);
    const children: Child[] = [
      { kind: "spans", position: 0, payloads: ['{"a":"caf\\u00e9"}', null, '"x"'] },
      { kind: "spans", position: 1, payloads: [null, ' [ "Café" ] ', "12345"] },
      { kind: "events", position: 0, payloads: ['{"CAF\\u00C9":"\\ud83d\\ude80"}'] },
    ];
    const found = async () => ({
      cafe: placesOf(await search(own, { q: "café" })),
      rocket: placesOf(await search(own, { q: "🚀" })),
      number: placesOf(await search(own, { q: "234" })),
      across: placesOf(await search(own, { q: '"x"' })),
    });
    const expected = {
      cafe: ["span s0: input", "span s1: output", "event e0: metadata"],
      rocket: ["event e0: metadata"],
      number: ["span s1: metadata"],
      across: [],
    };
    await storePacked(own.workspaceId, sent.id, [children]);
    expect(await found()).toEqual(expected);
    await storePacked(own.workspaceId, sent.id, [children.slice(0, 1), children.slice(1)]);
    expect(await found()).toEqual(expected);
  });

  it("finds nothing in payloads that a later part replaces, or whose record is gone", async () => {
    const own = await newSender(client, db);
    const sent = trace({ spans: [span({ name: "s0" }), span({ name: "s1" }), span({ name: "s2" })] });
    await own.send([sent]);
    const old = [0, 1, 2, 3].map((position) => ({
      kind: "spans" as const,
      position,
      payloads: ['"before"', null, null],
    }));
    const later: Child[] = [{ kind: "spans", position: 1, payloads: ['"after"', null, null] }];
    await storePacked(own.workspaceId, sent.id, [old, later]);
    expect(placesOf(await search(own, { q: "before" }))).toEqual(["span s0: input", "span s2: input"]);
    expect(placesOf(await search(own, { q: "after" }))).toEqual(["span s1: input"]);
  });

  it("goes from the newest trace to the oldest, and a cursor continues without loss or repetition", async () => {
    const own = await newSender(client, db);
    const traces = Array.from({ length: 120 }, (_, n) =>
      trace({
        id: `${own.workspaceId}-${String(n).padStart(3, "0")}`,
        name: `run ${n}`,
        // Several start at the same time.
        startedAt: `2026-02-01T00:00:${String(Math.floor(n / 3)).padStart(2, "0")}.000Z`,
        spans: [span({ input: n % 2 === 0 ? "even" : "odd" })],
      }),
    );
    await own.send(traces);
    const expected = traces
      .map(({ id }) => id)
      .filter((_, n) => n % 2 === 0)
      .reverse();
    const found: string[] = [];
    let cursor: string | null = "";
    let searched = 0;
    for (let pages = 0; cursor !== null; pages += 1) {
      expect(pages).toBeLessThan(20);
      const lines = await search(own, { q: "EVEN", limit: 7, cursor });
      expect(hitsOf(lines).length).toBeLessThanOrEqual(7);
      found.push(...hitsOf(lines).map(({ traceId }) => traceId));
      ({ cursor } = endOf(lines));
      searched += endOf(lines).traces;
    }
    expect(found).toEqual(expected);
    expect(searched).toBe(120);
    expect(hitsOf(await search(own, { q: "even", limit: 100 })).map(({ traceId }) => traceId)).toEqual(
      expected,
    );
  });

  it("takes the filters of the list of traces", async () => {
    const own = await newSender(client, db);
    await own.send([
      trace({ name: "a", tags: ["x"], status: "ERROR", spans: [span({ input: "here" })] }),
      trace({ name: "b", tags: ["y"], spans: [span({ input: "here" })] }),
    ]);
    const names = async (filter: Record<string, string>) => {
      const lines = await search(own, { q: "here", ...filter });
      return [hitsOf(lines).map(({ traceName }) => traceName), lines[0].totalTraces];
    };
    expect(await names({ tags: "x" })).toEqual([["a"], 1]);
    expect(await names({ status: "COMPLETED" })).toEqual([["b"], 1]);
    expect(await names({ search: "c" })).toEqual([[], 0]);
    expect(await names({ startedFrom: "2027-01-01" })).toEqual([[], 0]);
  });

  it("finds nothing of other users, not even by the id of their trace", async () => {
    const [alice, bob] = [await newSender(client, db), await newSender(client, db)];
    const sent = trace({ name: "secret", spans: [span({ input: "secret" })] });
    await alice.send([sent]);
    expect(placesOf(await search(bob, { q: "secret" }))).toEqual([]);
    expect(placesOf(await search(bob, { q: "secret", traceId: sent.id }))).toEqual([]);
    const { cursor } = endOf(await search(alice, { q: "secret", limit: 1 }));
    expect(placesOf(await search(bob, { q: "secret", cursor: cursor ?? "" }))).toEqual([]);
    expect(placesOf(await search(alice, { q: "secret" }))).toHaveLength(2);
  });

  it("does not find what was deleted", async () => {
    const own = await newSender(client, db);
    const sent = trace({ spans: [span({ input: "gone" })] });
    await own.send([sent]);
    expect(placesOf(await search(own, { q: "gone" }))).toHaveLength(1);
    await own.delete(`/api/traces/${sent.id}`);
    expect(placesOf(await search(own, { q: "gone" }))).toEqual([]);
  });

  it("ends an earlier search of the same user with a cursor that continues it", async () => {
    const own = await newSender(client, db);
    await own.send(Array.from({ length: 300 }, (_, n) => trace({ spans: [span({ input: `text ${n}` })] })));
    const searches = await Promise.all(
      Array.from({ length: 6 }, () => search(own, { q: "text", limit: 200 })),
    );
    for (const lines of searches) {
      expect(endOf(lines).kind).toBe("end");
      expect(endOf(lines).cursor).toEqual(expect.any(String));
      // Nothing is lost between what was found and what is left.
      const { cursor, traces } = endOf(lines);
      expect(hitsOf(lines)).toHaveLength(traces);
      expect(endOf(await search(own, { q: "nowhere", cursor })).traces).toBe(300 - traces);
    }
  });

  it("searches traces that are too large to be read together", async () => {
    const own = await newSender(client, db);
    const filler = "0123456789abcdef".repeat(380_000);
    for (let n = 0; n < 4; n += 1)
      await own.send([trace({ decisionPoints: [decision({ contextSnapshot: `${filler}needle ${n}` })] })]);
    const lines = await search(own, { q: "needle" });
    expect(
      hitsOf(lines)
        .map(({ match, after }) => match + after)
        .sort(),
    ).toEqual(['needle 0"', 'needle 1"', 'needle 2"', 'needle 3"']);
    expect(endOf(lines)).toMatchObject({ cursor: null, traces: 4 });
  });

  it("lets several users search at the same time", async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => newSender(client, db)));
    for (const [n, own] of users.entries())
      await own.send(Array.from({ length: 50 }, () => trace({ spans: [span({ input: `user ${n}` })] })));
    const found = await Promise.all(users.map((own) => search(own, { q: "user", limit: 200 })));
    for (const [n, lines] of found.entries()) {
      expect(hitsOf(lines)).toHaveLength(50);
      expect(hitsOf(lines).every(({ after }) => after === ` ${n}"`)).toBe(true);
    }
  });

  it("ends when its reader leaves, and gives its memory back", async () => {
    const own = await newSender(client, db);
    const input = "some words to look through ".repeat(2_000);
    for (let n = 0; n < 10; n += 1)
      await own.send(Array.from({ length: 50 }, () => trace({ spans: [span({ input })] })));
    const reading = new AbortController();
    const reader = fetch(own.url + own.pathOf("GET", "/api/search?q=nowhere"), {
      headers: { cookie: own.cookie ?? "" },
      signal: reading.signal,
    });
    expect((await reader).status).toBe(200);
    reading.abort();
    await expect.poll(() => metric("searches")).toBe(0);
    expect(await metric("read_memory_bytes")).toBe(0);
  });

  it.each([
    ["", "Invalid q parameter. Must be 1 to 200 characters."],
    ["q=", "Invalid q parameter. Must be 1 to 200 characters."],
    ["q=a&q=b", "Invalid q parameter. Must be 1 to 200 characters."],
    [`q=${"a".repeat(201)}`, "Invalid q parameter. Must be 1 to 200 characters."],
    ["q=a&limit=0", "Invalid limit parameter. Must be between 1 and 200, or 1000 with traceId."],
    ["q=a&limit=201", "Invalid limit parameter. Must be between 1 and 200, or 1000 with traceId."],
    ["q=a&cursor=x", "Invalid cursor parameter. Must be the cursor of an earlier response."],
    ["q=a&status=DONE", "Invalid status. Must be one of: RUNNING, COMPLETED, ERROR"],
  ])("%s is 400", async (query, error) => {
    const response = await user.get(`/api/search?${query}`);
    expect([response.status, response.json]).toEqual([400, { error }]);
  });
});
