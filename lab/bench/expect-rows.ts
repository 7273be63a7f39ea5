import type { ParsedTrace } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../packages/server/src/db/database.ts";
import type { PreparedRun } from "./measure/measure-variants.ts";

const ROWS = {
  trace_owners: () => 1,
  traces: () => 1,
  spans: ({ spans }: ParsedTrace) => spans.length,
  decision_points: ({ decisionPoints }: ParsedTrace) => decisionPoints.length,
  events: ({ events }: ParsedTrace) => events.length,
};
type Table = keyof typeof ROWS;
const TABLES: readonly Table[] = ["trace_owners", "traces", "spans", "decision_points", "events"];

/** Fails unless the run stored exactly the rows of these traces, `times` times over. */
export async function expectRows(
  db: Database,
  traces: ParsedTrace[],
  prepared: PreparedRun,
  { times = 1, tables = TABLES }: { times?: number; tables?: readonly Table[] } = {},
): Promise<PreparedRun> {
  const before = await countRows(db, tables);
  const expected = tables.map(
    (table) => traces.reduce((total, trace) => total + ROWS[table](trace), 0) * times,
  );
  return {
    run: prepared.run,
    async remove() {
      await prepared.remove?.();
      const stored = (await countRows(db, tables)).map((rows, table) => rows - (before[table] ?? 0));
      if (stored.join() !== expected.join())
        throw new Error(`stored ${stored.join()} rows, expected ${expected.join()}`);
    },
  };
}

async function countRows(db: Database, tables: readonly Table[]): Promise<number[]> {
  const counts = tables.map((table) => sql`(select count(*) from ${sql.table(table)})`);
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(counts)}]::integer[] as counts`.execute(db);
  return rows[0]?.counts ?? [];
}
