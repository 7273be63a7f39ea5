import { DatabaseProxy } from "@whytrace/testing/postgres/database-proxy.ts";
import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { CANARY_RULE, Canaries } from "@whytrace/testing/samples/canaries.ts";
import { dumpTables } from "@whytrace/testing/samples/dump-tables.ts";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { sendCanaries } from "@whytrace/testing/samples/send-canaries.ts";
import { type Client, expectStatus, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { DatabaseClient } from "@whytrace/testing/server/database-client.ts";
import { EventReader } from "@whytrace/testing/server/event-reader.ts";
import { connectMcp } from "@whytrace/testing/server/mcp-client.ts";
import { startServerProcess } from "@whytrace/testing/server/server-process.ts";
import { UNLIMITED } from "@whytrace/testing/server/unlimited.ts";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "./config.ts";
import { createDatabase, createPool } from "./db/database.ts";

const METRICS_TOKEN = "a token for metrics with enough characters";

it("lets no value that is to be masked into the database, its statements, logs, metrics, the stream, exports, searches, shared links or answers to agents", async () => {
  const databaseUrl = await createTestDatabase();
  const statements: Buffer[] = [];
  const proxy = new DatabaseProxy(databaseUrl, (bytes) => void statements.push(bytes));
  const env = { ...UNLIMITED, MASKING_DEFAULT: "personal", LOG_LEVEL: "trace", METRICS_TOKEN };
  const { child, url, lines } = await startServerProcess({ ...env, DATABASE_URL: await proxy.open() });
  const db = createDatabase(createPool(databaseUrl, { max: 2 }));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await db.destroy();
    await proxy.disconnect();
  });
  const client = new DatabaseClient(url, db, readConfig({ ...env, DATABASE_URL: databaseUrl }));
  const user = await newSender(client, db);
  const rules = [CANARY_RULE];
  expectStatus(await user.put("/api/masking", { version: 1, level: "personal", rules }), 200);
  const stream = await EventReader.open(user);

  const canaries = new Canaries();
  const ids = await sendCanaries(client, user, canaries);
  expect(canaries.count).toBeGreaterThan(1_000);
  await expect.poll(async () => (await user.get("/api/issues")).json.issues?.length).toBeGreaterThan(0);
  await expect.poll(() => stream.events.length).toBeGreaterThan(0);

  const dump = await dumpTables(db, user);
  expect(canaries.foundIn(dump)).toEqual([]);
  // The masked values are there, so the scan has seen what was stored.
  const words = ["email", "phone", "card", "iban", "ip", "secret", "canary"];
  expect(words.filter((word) => !dump.includes(`[${word}`))).toEqual([]);
  const paths = [
    ...ids.map((id) => `/api/traces/${id}`),
    ...[
      "traces",
      "export/traces",
      "sessions",
      "decisions",
      "scores",
      "scores/export",
      "issues",
      "filter-values",
      "insights/verdicts",
      "insights/verdicts/export",
    ].map((path) => `/api/${path}`),
    ...["example.com", "AKIA", "CAN-", "hunter"].map((word) => `/api/search?q=${word}`),
  ];
  for (const path of paths) {
    const { text } = await user.get(path);
    expect([path, canaries.foundIn(text)]).toEqual([path, []]);
  }
  for (const shown of [await readShared(client, user, ids[0] ?? ""), await readByMcp(user, ids)]) {
    expect(canaries.foundIn(shown)).toEqual([]);
    expect(words.filter((word) => !shown.includes(`[${word}`))).toEqual([]);
  }
  const metrics = await client.get("/metrics", { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  expect(canaries.foundIn(expectStatus(metrics, 200).text)).toEqual([]);
  expect(canaries.foundIn(JSON.stringify(stream.events))).toEqual([]);
  expect(canaries.foundIn(Buffer.concat(statements).toString("latin1"))).toEqual([]);
  expect(lines.length).toBeGreaterThan(10);
  expect(canaries.foundIn(lines.join("\n"))).toEqual([]);
});

/** What everybody reads who has a link to a trace. */
async function readShared(client: Client, user: SignedInUser, traceId: string): Promise<string> {
  const share = await user.post(`/api/traces/${traceId}/shares`, { payloads: true, why: true });
  const { pathname } = new URL(expectStatus(share, 201).json.url);
  const texts: string[] = [];
  for (const path of ["", "/link", "/outline", "/why"])
    texts.push(expectStatus(await client.get(`/api${pathname}${path}`), 200).text);
  return texts.join("\n");
}

/** What the tools for agents answer. */
async function readByMcp(user: SignedInUser, traceIds: readonly string[]): Promise<string> {
  const { client, call } = await connectMcp(user, "read");
  const texts: string[] = [];
  const read = async (tool: string, args: Record<string, unknown> = {}) => {
    let cursor: string | undefined;
    do {
      const answer = await call(tool, { ...args, ...(cursor !== undefined && { cursor }) });
      expect([tool, answer.isError && answer.text]).toEqual([tool, false]);
      texts.push(answer.text);
      cursor = answer.cursor;
    } while (cursor !== undefined);
  };
  for (const tool of ["find_traces", "why", "find_decisions", "option_scorecard", "list_issues"])
    await read(tool);
  for (const traceId of traceIds) await read("get_trace", { traceId });
  const [traceId, another] = traceIds;
  const { spans, decisionPoints, events } = (await user.get(`/api/traces/${traceId}`)).json;
  const children = { span: spans, decision: decisionPoints, event: events };
  for (const [kind, ofKind] of Object.entries(children))
    for (const { id } of ofKind) await read("get_span", { traceId, id, kind });
  await read("why", { traceId });
  await read("compare_traces", { a: traceId, b: another });
  for (const { issue } of (await call("list_issues")).data) await read("get_issue", { issue });
  for (const q of ["example.com", "AKIA", "CAN-", "hunter"]) await read("search", { q });
  await client.close();
  return texts.join("\n");
}
