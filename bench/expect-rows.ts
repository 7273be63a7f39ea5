import { sql } from "kysely";
import type { Database } from "../server/src/db/database.ts";
import type { PreparedRun } from "./measure-variants.ts";

/** Fails unless the run stored exactly this many traces with 12 spans, 4 decision points and 3 events each. */
export async function expectRows(db: Database, traces: number, prepared: PreparedRun): Promise<PreparedRun> {
  const before = await countRows(db);
  return {
    run: prepared.run,
    async remove() {
      await prepared.remove?.();
      const stored = (await countRows(db)).map((rows, table) => rows - (before[table] ?? 0));
      const expected = [1, 1, 12, 4, 3].map((rowsPerTrace) => rowsPerTrace * traces);
      if (stored.join() !== expected.join())
        throw new Error(`stored ${stored.join()} rows, expected ${expected.join()}`);
    },
  };
}

/** Counts owners, traces, spans, decision points and events. */
async function countRows(db: Database): Promise<number[]> {
  const { rows } = await sql<{ counts: number[] }>`
    select array[(select count(*) from trace_owners), (select count(*) from traces), (select count(*) from spans),
      (select count(*) from decision_points), (select count(*) from events)]::integer[] as counts`.execute(
    db,
  );
  return rows[0]?.counts ?? [];
}
