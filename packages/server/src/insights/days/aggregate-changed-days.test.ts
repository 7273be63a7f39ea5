import { decision, newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { createDatabase, createPool } from "../../db/database.ts";
import { aggregateChangedDays } from "./aggregate-changed-days.ts";

const { client, db, databaseUrl } = await boot();
const DAY_MS = 24 * 3_600_000;

const daysAgo = (days: number) => {
  const startedAt = new Date(Date.now() - days * DAY_MS).toISOString();
  return trace({ startedAt, decisionPoints: [decision({ timestamp: startedAt })] });
};

it("stores the figures of days that are over and changed, once, on one process at a time", async () => {
  const [one, two] = [await newSender(client, db), await newSender(client, db)];
  const moved = daysAgo(2);
  await one.send([daysAgo(0), daysAgo(1), moved, daysAgo(60)]);
  await two.send([daysAgo(1)]);
  const pool = createPool(databaseUrl, { max: 4 });
  const own = createDatabase(pool);
  const stopping = new AbortController().signal;
  const run = () => aggregateChangedDays({ db: own, pool, stopping });
  const runAndFindStale = async () => {
    await run();
    return stale();
  };
  // The server's own worker may hold the lease, and adds up the same days.
  await expect.poll(runAndFindStale).toEqual([]);
  expect(await run()).toBe(0);
  await one.send([{ ...daysAgo(3), id: moved.id }]);
  await expect.poll(runAndFindStale).toEqual([]);
  expect((await one.get("/api/insights/agents")).json.agents).toMatchObject([{ runs: 3, decisions: 3 }]);
  const both = await Promise.all([run(), run()]);
  expect(both).toEqual([0, 0]);
  await own.destroy();
});

/** Days of the last 30 that are over, but not added up. */
async function stale(): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select day::text as day from decision_days
    where added < changed and day < (now() at time zone 'utc')::date
      and day >= (now() at time zone 'utc')::date - 30`.execute(db);
  return rows.map(({ day }) => day);
}
