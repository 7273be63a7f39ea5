import { TRACE } from "@whytrace/contract";
import { sql } from "kysely";
import type { SizedRow } from "../db/copy/read-json-chunks.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { maxRowBytesSql } from "../trace-store/rows/record-columns.ts";
import { type TraceFilter, traceConditions } from "./trace-filter.ts";

/** Finds the next traces that match, in the order of their ids; `lastId` is undefined at the start. */
export async function findTracesAfter(
  db: Database,
  workspaceId: WorkspaceId,
  { filter, lastId, limit }: { filter: TraceFilter; lastId: string | undefined; limit: number },
): Promise<SizedRow[]> {
  const after = lastId === undefined ? sql`` : sql`and id > ${lastId}`;
  const { rows } = await sql<SizedRow>`
    select id, ${maxRowBytesSql(TRACE.fields)} as max_bytes from traces
    where ${traceConditions(workspaceId, filter)} ${after} order by id limit ${limit}`.execute(db);
  return rows;
}
