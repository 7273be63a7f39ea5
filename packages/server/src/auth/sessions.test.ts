import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { createSession as insertSession } from "@whytrace/testing/samples/create-session.ts";
import { insertUser } from "@whytrace/testing/samples/insert-user.ts";
import { expect, it } from "vitest";
import { createDatabase, createPool } from "../db/database.ts";
import { findSession } from "./sessions.ts";

it("sessions of a crowd are found with few queries: each caller gets their own, and a forged token none", async () => {
  const pool = createPool(await createTestDatabase(), { max: 2 });
  const db = createDatabase(pool);
  const emails = [1, 2, 3, 4, 5].map((n) => `crowd-${n}@example.test`);
  const workspaceIds = await Promise.all(emails.map((email) => insertUser(db, email)));
  const tokens = await Promise.all(workspaceIds.map((workspaceId) => insertSession(db, workspaceId)));
  let queries = 0;
  pool.on("acquire", () => {
    queries += 1;
  });
  const forged = Array.from({ length: 1_500 }, (_, index) => `forged ${index}`);
  const found = await Promise.all([...forged, ...tokens].map((token) => findSession(db, token)));
  expect(found.slice(forged.length).map((session) => session?.user.email)).toEqual(emails);
  expect(found.slice(0, forged.length).filter(Boolean)).toEqual([]);
  expect(queries).toBeLessThan(20);
  await db.destroy();
});
