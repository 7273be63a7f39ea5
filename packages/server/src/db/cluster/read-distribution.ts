import { sql } from "kysely";
import type { Database } from "../database.ts";
import { DISTRIBUTED_TABLES } from "../distributed-tables.ts";

export interface TableDistribution {
  name: string;
  doesExist: boolean;
  /** The column by which it is distributed; null if it is not. */
  column: string | null;
  colocationId: number | null;
  shardCount: number | null;
}

export async function hasCitus(db: Database): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(db);
  return rows.length > 0;
}

/** The tables that a cluster distributes, in their order, and how they are now. Needs the extension. */
export async function readDistribution(db: Database): Promise<TableDistribution[]> {
  const { rows } = await sql<TableDistribution>`
    select name, to_regclass(name) is not null as does_exist,
      column_to_column_name(logicalrelid, partkey) as column,
      colocationid as colocation_id, shardcount as shard_count
    from unnest(${[...DISTRIBUTED_TABLES]}::text[]) with ordinality as listed (name, position)
    left join pg_dist_partition on logicalrelid = to_regclass(name) and partmethod = 'h'
    left join pg_dist_colocation using (colocationid)
    order by position`.execute(db);
  return rows;
}
