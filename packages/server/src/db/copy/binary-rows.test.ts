import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createPool } from "../database.ts";
import { BinaryRows } from "./binary-rows.ts";
import { copyRows } from "./copy-rows.ts";

const MIN_MS = Date.parse("0001-01-01T00:00:00.000Z");
const MAX_MS = Date.parse("9999-12-31T23:59:59.999Z");

it("keeps every millisecond from year 1 to 9999", async () => {
  const pool = createPool(await createTestDatabase(), { max: 1 });
  const edges = [MIN_MS, MAX_MS, 946_684_800_000, 0].flatMap((ms) => [ms - 1, ms, ms + 1]);
  const sent = [
    ...edges.filter((ms) => ms >= MIN_MS && ms <= MAX_MS),
    ...["4283-05-01T00:00:00.001Z", "5000-01-01T00:00:00.001Z"].map(Date.parse),
    ...fc.sample(fc.integer({ min: MIN_MS, max: MAX_MS }), { numRuns: 5_000, seed: 1 }),
  ];
  const rows = new BinaryRows(0);
  for (const ms of sent) {
    rows.beginRow(1);
    rows.timestamp(ms);
  }
  const client = await pool.connect();
  await client.query("create temporary table times (position serial, at timestamptz)");
  await copyRows(client, [{ statement: "copy times (at) from stdin (format binary)", rows }]);
  const stored = await client.query<{ us: string }>(
    "select (extract(epoch from at) * 1000000)::bigint::text as us from times order by position",
  );
  expect(stored.rows.map(({ us }) => us)).toEqual(sent.map((ms) => `${BigInt(ms) * 1_000n}`));
  client.release();
  await pool.end();
});
