import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import Fastify from "fastify";
import { expect, it } from "vitest";
import { createPool } from "../db/database.ts";
import { handleErrors } from "./handle-errors.ts";

it("a statement that takes too long is told apart from an unavailable database: in the text, in Retry-After and in the log", async () => {
  const lines: string[] = [];
  const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } });
  handleErrors(app);
  const databaseUrl = await createTestDatabase();
  const hasty = createPool(databaseUrl, { max: 1, statement_timeout: 50 });
  const patient = createPool(databaseUrl, { max: 1 });
  app.get("/slow", () => hasty.query("select pg_sleep(2)"));
  app.get("/terminated", () => patient.query("select pg_terminate_backend(pg_backend_pid())"));
  const slow = await app.inject("/slow");
  expect([slow.statusCode, slow.headers["retry-after"], slow.json()]).toEqual([
    503,
    "60",
    { error: "The database took too long for this request. Send or ask for less, or try again later." },
  ]);
  const terminated = await app.inject("/terminated");
  expect([terminated.statusCode, terminated.headers["retry-after"], terminated.json()]).toEqual([
    503,
    "1",
    { error: "Service temporarily unavailable" },
  ]);
  const messages = lines.map((line) => JSON.parse(line).msg);
  expect(messages).toContain("statement timed out");
  expect(messages).toContain("answered 503");
  await app.close();
  await hasty.end();
  await patient.end();
});
