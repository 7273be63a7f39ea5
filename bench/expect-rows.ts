import type { ParsedTrace } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../server/src/db/database.ts";
import type { PreparedRun } from "./measure-variants.ts";

/** Fails unless the run stored exactly the rows of these traces, `times` times over. */
export async function expectRows(
  db: Database,
  traces: ParsedTrace[],
  prepared: PreparedRun,
  times = 1,
): Promise<PreparedRun> {
  const before = await countRows(db);
  const sum = (count: (trace: ParsedTrace) => number) =>
    traces.reduce((total, trace) => total + count(trace), 0) * times;
  const expected = [
    sum(() => 1),
    sum(() => 1),
    sum(({ spans }) => spans.length),
    sum(({ decisionPoints }) => decisionPoints.length),
    sum(({ events }) => events.length),
  ];
  return {
    run: prepared.run,
    async remove() {
      await prepared.remove?.();
      const stored = (await countRows(db)).map((rows, table) => rows - (before[table] ?? 0));
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
