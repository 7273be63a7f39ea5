import { randomBytes } from "node:crypto";
import type { SearchLine } from "@whytrace/contract";
import { otlpId, otlpSpan, sendOtlp, spansRequest } from "@whytrace/testing/otlp/sample-otlp.ts";
import { newSender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import { afterAll, expect, it, vi } from "vitest";
import { ByteBudget } from "../concurrency/byte-budget.ts";
import { readConfig } from "../config.ts";
import { Connections } from "../db/connections.ts";
import { parseCursor } from "./search-cursor.ts";
import { SearchThread } from "./search-thread.ts";
import { searchTraces } from "./search-traces.ts";

const { client, db, databaseUrl } = await boot();
const connections = new Connections(databaseUrl, readConfig({ DATABASE_URL: databaseUrl }).connections);
const thread = new SearchThread();
const memory = new ByteBudget({ maxBytes: 1e8, maxBytesPerWorkspace: 1e8, maxWaitMs: 1_000 });
afterAll(async () => {
  await thread.stop();
  await connections.end();
});

const user = await newSender(client, db);
await user.send(Array.from({ length: 200 }, () => trace({ spans: [span({ input: "text" })] })));

function start(signal: AbortSignal, options: { cursor?: string; isShared?: boolean } = {}) {
  const hold = memory.open(user.workspaceId);
  const { cursor = "", isShared = false } = options;
  return searchTraces(
    { reads: connections.reads, thread, hold, isShared: () => isShared },
    {
      workspaceId: user.workspaceId,
      query: "TEXT",
      filter: { tags: [] },
      cursor: parseCursor(cursor),
      limit: 1_000,
      signal,
    },
  );
}

const isHit = ({ kind }: SearchLine) => kind === "hit";

it("stops between two chunks when it is told to, and its cursor continues without loss or repetition", async () => {
  const stopping = new AbortController();
  const lines: SearchLine[] = [];
  for await (const some of start(stopping.signal)) {
    lines.push(...some);
    if (some.some(isHit)) stopping.abort();
  }
  const end = lines.at(-1);
  if (end?.kind !== "end" || end.cursor === null) return expect.fail(JSON.stringify(end));
  expect(end.traces).toBeGreaterThan(0);
  expect(end.traces).toBeLessThan(200);
  for await (const some of start(new AbortController().signal, { cursor: end.cursor })) lines.push(...some);
  const hits = lines.filter(isHit);
  expect(hits).toHaveLength(200);
  expect(new Set(hits.map((hit) => hit.kind === "hit" && hit.traceId)).size).toBe(200);
});

it("searches everything while others use the server, too", async () => {
  const lines: SearchLine[] = [];
  for await (const some of start(new AbortController().signal, { isShared: true })) lines.push(...some);
  expect(lines.filter(isHit)).toHaveLength(200);
  expect(lines.at(-1)).toMatchObject({ kind: "end", cursor: null, traces: 200 });
});

it("starts a new thread after the last one has stopped", async () => {
  await thread.stop();
  const lines: SearchLine[] = [];
  for await (const some of start(new AbortController().signal)) lines.push(...some);
  expect(lines.filter(isHit)).toHaveLength(200);
});

it("starts a new thread while one ends that had nothing to do", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const search = vi.spyOn(thread, "search");
  try {
    for await (const _ of start(new AbortController().signal));
    // The thread begins to end right before it gets the next chunk.
    search.mockImplementation((options) => {
      vi.advanceTimersByTime(30_000);
      return SearchThread.prototype.search.call(thread, options);
    });
    const lines: SearchLine[] = [];
    for await (const some of start(new AbortController().signal)) lines.push(...some);
    expect(lines.filter(isHit)).toHaveLength(200);
  } finally {
    search.mockRestore();
    vi.useRealTimers();
  }
});

it.runIf(IS_WHOLE)(
  "finds everything in a trace that is larger than its memory, the first hits first",
  async () => {
    const sender = await newSender(client, db);
    const id = otlpId(16);
    const spanIds = Array.from({ length: 24 }, () => otlpId(8));
    const send = (indexes: number[], word: string) =>
      sendOtlp(
        client,
        sender.key,
        spansRequest(
          indexes.map((index) =>
            otlpSpan(
              id,
              // It cannot be compressed.
              { filling: randomBytes(1_100_000).toString("base64"), text: `a ${word} of ${index}` },
              // The first span is the root, whose name the trace has too.
              {
                spanId: spanIds[index],
                name: `span ${index}`,
                ...(index > 0 && { parentSpanId: spanIds[0] }),
              },
            ),
          ),
        ),
      );
    for (let first = 0; first < spanIds.length; first += 4)
      expectStatus(await send([first, first + 1, first + 2, first + 3], "needle!"), 200);
    // Their payloads lie in other parts than those of their neighbours, and what was there is not found any more.
    for (const indexes of [
      [23, 1, 9],
      [14, 2, 20],
    ])
      expectStatus(await send(indexes, "thimble!"), 200);
    const hold = memory.open(sender.workspaceId);
    let maxBytes = 0;
    const search = async (query: string, traceId?: string) => {
      const found: SearchLine[] = [];
      const { signal } = new AbortController();
      const options = {
        workspaceId: sender.workspaceId,
        query,
        filter: { tags: [] },
        limit: 1_000,
        signal,
        traceId,
      };
      for await (const lines of searchTraces(
        { reads: connections.reads, thread, hold, isShared: () => false },
        options,
      )) {
        maxBytes = Math.max(maxBytes, memory.heldBytes);
        found.push(...lines);
      }
      expect(found.at(-1)).toMatchObject({ kind: "end", cursor: null, traces: 1 });
      return found.flatMap((line) => (line.kind === "hit" ? line : []));
    };
    const again = [1, 2, 9, 14, 20, 23];
    const others = spanIds.map((_, index) => index).filter((index) => !again.includes(index));
    const namesOf = (indexes: number[]) => indexes.map((index) => `span ${index}`);
    const needles = await search("needle!", id);
    expect(needles.map(({ record }) => record.name)).toEqual(namesOf(others));
    expect(needles.map(({ before }) => before.endsWith("a "))).toEqual(others.map(() => true));
    expect((await search("thimble!", id)).map(({ record }) => record.name)).toEqual(namesOf(again));
    const [first, second, third, ...more] = await search("needle!");
    expect([first, second, third].map((hit) => hit?.record.name)).toEqual(namesOf(others.slice(0, 3)));
    expect([third?.moreInTrace, more]).toEqual([others.length - 3, []]);
    expect(await search("span 2", id)).toHaveLength(5);
    expect(maxBytes).toBeLessThan(24 * 1024 * 1024);
    hold.close();
  },
);
