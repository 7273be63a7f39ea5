import { sql } from "kysely";
import type { Database } from "../server/src/db/database.ts";
import type { PreparedLeg } from "./measure-legs.ts";

/** Fails after the leg unless it stored so many traces, whole: 12 spans, 4 decision points, 3 events each. */
export async function expectRows(db: Database, traces: number, leg: PreparedLeg): Promise<PreparedLeg> {
  const before = await countRows(db);
  return {
    run: leg.run,
    async remove() {
      await leg.remove?.();
      const stored = (await countRows(db)).map((rows, table) => rows - (before[table] ?? 0));
      const expected = [1, 1, 12, 4, 3].map((each) => each * traces);
      if (stored.join() !== expected.join())
        throw new Error(`${stored.join()} rows were stored, ${expected.join()} expected`);
    },
  };
}

/** Owners, traces, spans, decision points and events. */
async function countRows(db: Database): Promise<number[]> {
  const { rows } = await sql<{ counts: number[] }>`
    select array[(select count(*) from trace_owners), (select count(*) from traces), (select count(*) from spans),
      (select count(*) from decision_points), (select count(*) from events)]::integer[] as counts`.execute(
    db,
  );
  return rows[0]?.counts ?? [];
}
