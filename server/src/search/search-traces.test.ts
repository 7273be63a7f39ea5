import type { SearchLine } from "@whytrace/contract";
import { boot } from "@whytrace/testing/boot.ts";
import { newSender, span, trace } from "@whytrace/testing/sample-traces.ts";
import { afterAll, expect, it } from "vitest";
import { ByteBudget } from "../concurrency/byte-budget.ts";
import { readConfig } from "../config.ts";
import { Connections } from "../db/connections.ts";
import { parseCursor } from "./search-cursor.ts";
import { SearchThread } from "./search-thread.ts";
import { searchTraces } from "./search-traces.ts";

const { client, db, databaseUrl } = await boot();
const connections = new Connections(databaseUrl, readConfig({ DATABASE_URL: databaseUrl }).connections);
const thread = new SearchThread();
const memory = new ByteBudget({ maxBytes: 1e8, maxBytesPerUser: 1e8, maxWaitMs: 1_000 });
afterAll(async () => {
  await thread.stop();
  await connections.end();
});

const user = await newSender(client, db);
await user.send(Array.from({ length: 200 }, () => trace({ spans: [span({ input: "text" })] })));

function start(signal: AbortSignal, options: { cursor?: string; isShared?: boolean } = {}) {
  const hold = memory.open(user.id);
  const { cursor = "", isShared = false } = options;
  return searchTraces(
    { reads: connections.reads, thread, hold, isShared: () => isShared },
    {
      userId: user.id,
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
