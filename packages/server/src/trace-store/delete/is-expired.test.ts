import { boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { isExpired } from "./is-expired.ts";

it("expires traces at the microsecond at which their days are over, and never before, also where clocks change", async () => {
  const { db } = await boot();
  const expired = await db.transaction(async (trx) => {
    await sql`set local time zone 'Europe/Berlin'`.execute(trx);
    const { rows } = await sql<{ isExpired: boolean }>`
      select ${isExpired(180)} as is_expired from (values
        (now() - interval '4320 hours', now() - interval '4320 hours'),
        (now() - interval '4320 hours' + interval '1 microsecond', now() - interval '9999 hours'),
        (now() - interval '9999 hours', now() - interval '4320 hours' + interval '1 microsecond')
      ) as traces (created_at, started_at)`.execute(trx);
    return rows.map((row) => row.isExpired);
  });
  expect(expired).toEqual([true, false, false]);
});
