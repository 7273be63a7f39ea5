import { createSession as insertSession } from "@whytrace/testing/create-session.ts";
import { createTestDatabase } from "@whytrace/testing/test-database.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { createDatabase, createPool } from "../db/database.ts";
import { findSession } from "./sessions.ts";

it("sessions of a crowd are found with few queries: each caller gets their own, and a forged token none", async () => {
  const pool = createPool(await createTestDatabase(), { max: 2 });
  const db = createDatabase(pool);
  const { rows: users } = await sql<{ id: string }>`
    insert into users (email, password_hash) select n || '@example.test', 'x' from generate_series(1, 5) as n
    returning id`.execute(db);
  const tokens = await Promise.all(users.map(({ id }) => insertSession(db, id)));
  let queries = 0;
  pool.on("acquire", () => {
    queries += 1;
  });
  const forged = Array.from({ length: 1_500 }, (_, index) => `forged ${index}`);
  const found = await Promise.all([...forged, ...tokens].map((token) => findSession(db, token)));
  expect(found.slice(forged.length).map((session) => session?.user.id)).toEqual(users.map(({ id }) => id));
  expect(found.slice(0, forged.length).filter(Boolean)).toEqual([]);
  expect(queries).toBeLessThan(20);
  await db.destroy();
});
