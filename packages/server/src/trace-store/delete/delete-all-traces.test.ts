import { isDistributed } from "@whytrace/testing/postgres/citus-cluster.ts";
import { newSender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { deleteAllTraces } from "./delete-all-traces.ts";

// A cluster allows no trigger on a distributed table.
it.skipIf(isDistributed)("deletes traces in smaller chunks if a chunk takes too long", async () => {
  const { client, db } = await boot();
  const user = await newSender(client, db);
  await user.send(
    Array.from({ length: 100 }, () => trace({ spans: Array.from({ length: 4 }, () => span()) })),
  );
  // Stands for slow disks: a statement that deletes more than 200 spans never ends.
  await sql`
    create function delay() returns trigger language plpgsql as $$
    begin
      if (select count(*) > 200 from deleted) then perform pg_sleep(60); end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger delay after delete on spans referencing old table as deleted
    for each statement execute function delay()`.execute(db);

  const left: number[] = [];
  for await (const _ of deleteAllTraces(db, user.workspaceId)) {
    const { rows } = await sql<{ count: number }>`
      select count(*) from traces where workspace_id = ${user.workspaceId}`.execute(db);
    left.push(rows[0]?.count ?? -1);
  }
  // The first chunk has all traces and ends in a timeout, and so does one in which the machine stands still.
  expect(left[0]).toBe(100);
  expect(left.at(-1)).toBe(0);
  const deleted = left.slice(1).map((count, index) => (left[index] ?? 0) - count);
  expect(Math.max(...deleted)).toBeLessThanOrEqual(50);
});
