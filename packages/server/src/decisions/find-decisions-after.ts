import { DECISION_POINT } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { ListPosition } from "../http/request/list-cursor.ts";
import { maxRowBytesSql } from "../trace-store/rows/record-columns.ts";
import { type DecisionFilter, decisionConditions } from "./decision-filter.ts";
import type { ListedDecision } from "./list-decisions.ts";

/** Finds the next decision points that match, in the order of their traces' ids and their own. */
export async function findDecisionsAfter(
  db: Database,
  workspaceId: WorkspaceId,
  { filter, position, limit }: { filter: DecisionFilter; position: ListPosition; limit: number },
): Promise<ListedDecision[]> {
  const after = position === "start" ? sql`` : sql`and (trace_id, id) > (${position[0]}, ${position[1]})`;
  const { rows } = await sql<ListedDecision>`
    select trace_id, id, ${maxRowBytesSql(DECISION_POINT.fields)} as max_bytes from decision_points
    where ${decisionConditions(workspaceId, filter)} ${after} order by trace_id, id limit ${limit}`.execute(
    db,
  );
  return rows;
}
