import { execute } from "@whytrace/testing/postgres/databases.ts";
import pg from "pg";

/** Drops the non-unique indexes of the trace tables; returns a function that creates them again. */
export async function dropIndexes(databaseUrl: string): Promise<() => Promise<void>> {
  const { rows } = await execute(
    databaseUrl,
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where not indisunique and indrelid in
       ('trace_owners'::regclass, 'traces'::regclass, 'spans'::regclass, 'decision_points'::regclass, 'events'::regclass)`,
  );
  for (const { name } of rows) await execute(databaseUrl, `drop index ${name}`);
  return async () => {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    await client.query("set maintenance_work_mem = '1GB'");
    for (const { definition } of rows) await client.query(definition);
    await client.end();
  };
}
