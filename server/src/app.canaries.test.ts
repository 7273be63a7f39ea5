import { DatabaseProxy } from "@whytrace/testing/postgres/database-proxy.ts";
import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { CANARY_RULE, Canaries } from "@whytrace/testing/samples/canaries.ts";
import { dumpTables } from "@whytrace/testing/samples/dump-tables.ts";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { sendCanaries } from "@whytrace/testing/samples/send-canaries.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { DatabaseClient } from "@whytrace/testing/server/database-client.ts";
import { EventReader } from "@whytrace/testing/server/event-reader.ts";
import { startServerProcess } from "@whytrace/testing/server/server-process.ts";
import { UNLIMITED } from "@whytrace/testing/server/unlimited.ts";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "./config.ts";
import { createDatabase, createPool } from "./db/database.ts";

const METRICS_TOKEN = "a token for metrics with enough characters";

it("lets no value that is to be masked into the database, its statements, logs, metrics, the stream, exports or searches", async () => {
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
    ].map((path) => `/api/${path}`),
    ...["example.com", "AKIA", "CAN-", "hunter"].map((word) => `/api/search?q=${word}`),
  ];
  for (const path of paths) {
    const { text } = await user.get(path);
    expect([path, canaries.foundIn(text)]).toEqual([path, []]);
  }
  const metrics = await client.get("/metrics", { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  expect(canaries.foundIn(expectStatus(metrics, 200).text)).toEqual([]);
  expect(canaries.foundIn(JSON.stringify(stream.events))).toEqual([]);
  expect(canaries.foundIn(Buffer.concat(statements).toString("latin1"))).toEqual([]);
  expect(lines.length).toBeGreaterThan(10);
  expect(canaries.foundIn(lines.join("\n"))).toEqual([]);
});
