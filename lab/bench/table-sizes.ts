import { execute } from "@whytrace/testing/postgres/databases.ts";
import { writeTable } from "./write-table.ts";

/** Lists tables and indexes by size as a Markdown table. */
export async function tableSizes(databaseUrl: string): Promise<string> {
  const { rows } = await execute(
    databaseUrl,
    `select relname as name, greatest(reltuples, 0)::bigint as rows,
       case when relkind = 'i' then pg_relation_size(oid) else pg_table_size(oid) end as bytes
     from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') and relpages > 100
     order by bytes desc`,
  );
  const megabytes = (bytes: string) => (Number(bytes) / 2 ** 20).toFixed(1);
  return writeTable(
    ["relation", "rows", "MiB"],
    rows.map((row) => [row.name, row.rows, megabytes(row.bytes)]),
  );
}

/** Size of all tables with their TOAST tables and indexes. */
export async function storedBytes(databaseUrl: string): Promise<number> {
  const { rows } = await execute(
    databaseUrl,
    `select sum(pg_total_relation_size(oid))::float8 as bytes
     from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  return rows[0].bytes;
}

/** Size of the database on disk without the write-ahead log. */
export async function databaseBytes(databaseUrl: string): Promise<number> {
  const { rows } = await execute(databaseUrl, "select pg_database_size(current_database())::float8 as bytes");
  return rows[0].bytes;
}
