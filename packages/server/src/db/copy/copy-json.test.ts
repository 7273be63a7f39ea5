import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { createPool } from "../database.ts";
import { copyJson } from "./copy-json.ts";

const pool = createPool(await createTestDatabase(), { max: 1 });
afterAll(() => pool.end());

it("returns every byte of rows that arrive in several packets", async () => {
  const client = await pool.connect();
  try {
    for (const rows of [1, 20, 300, 3_000]) {
      const query = sql`select json_build_object('n', n, 'text', repeat(n::text, 200)) from generate_series(1, ${rows}) n`;
      const values = JSON.parse(`[${await copyJson(client, query)}]`);
      const expected = Array.from({ length: rows }, (_, i) => ({
        n: i + 1,
        text: String(i + 1).repeat(200),
      }));
      expect(values).toEqual(expected);
    }
  } finally {
    client.release();
  }
});
