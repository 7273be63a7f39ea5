import { decision, newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { readDays } from "./read-days.ts";

const { client, db } = await boot();
const DAY_MS = 24 * 3_600_000;
/** More than are added up at a visit of days that are over. */
const BUSY_TRACES = 20_001;

it("adds up the days before a busy today at the same visit", async () => {
  const sender = await newSender(client, db);
  const [before, today] = [Date.now() - 3 * DAY_MS, Date.now()].map((ms) => {
    const startedAt = new Date(ms).toISOString();
    return trace({ startedAt, decisionPoints: [decision({ timestamp: startedAt })] });
  });
  await sender.send([before, today]);
  await sql`
    insert into traces (workspace_id, id, name, status, tags, started_at, span_count, decision_point_count, event_count,
      agent_hash, decision_facts, decision_path, error_count)
    select workspace_id, 'copy ' || n, name, status, tags, started_at, span_count, decision_point_count, event_count,
      agent_hash, decision_facts, decision_path, error_count
    from traces cross join generate_series(1, ${sql.lit(BUSY_TRACES)}) as n
    where workspace_id = ${sender.workspaceId} and id = ${today?.id}`.execute(db);
  const range = {
    from: new Date(Date.now() - 5 * DAY_MS).toISOString().slice(0, 10),
    to: new Date(Date.now() + DAY_MS).toISOString().slice(0, 10),
  };
  const { days, daysLeft } = await readDays(
    db,
    sender.workspaceId,
    { range, version: 1 },
    { sections: ["choices"] },
  );
  expect({ days: days.length, daysLeft }).toEqual({ days: 2, daysLeft: 0 });
});
