import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import Fastify from "fastify";
import { serializerCompiler } from "fastify-type-provider-zod";
import { expect, it } from "vitest";
import { createPool } from "../db/database.ts";
import type { App } from "./app-instance.ts";
import { healthRoutes } from "./health.ts";

it("a crowd that checks the health takes a few queries, and each check after it its own", async () => {
  const pool = createPool(await createTestDatabase(), { max: 1, connectionTimeoutMillis: 10_000 });
  let queries = 0;
  pool.on("acquire", () => {
    queries += 1;
  });
  const app: App = Fastify().withTypeProvider();
  app.setSerializerCompiler(serializerCompiler);
  healthRoutes(app, { pool, version: "1.0.0", isDraining: () => false, isMailFailing: () => false });
  const check = async () => (await app.inject("/api/health")).statusCode;
  expect(await check()).toBe(200);
  const statuses = await Promise.all(Array.from({ length: 1_500 }, check));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(queries).toBeLessThan(100);
  const before = queries;
  for (let count = 0; count < 3; count += 1) await check();
  expect(queries).toBe(before + 3);
  await pool.end();
  expect(await check()).toBe(503);
});
