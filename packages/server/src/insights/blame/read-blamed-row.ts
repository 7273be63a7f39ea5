import type { Status } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { isOpen } from "../../trace-store/outcomes/lens-conditions.ts";

/** What is known of a trace without its spans and decisions. */
export interface BlamedRow {
  name: string;
  status: Status;
  /** Milliseconds, like the end. */
  startedAt: number;
  endedAt: number | null;
  /** Whether the run goes on, as far as is known. */
  isOpen: boolean;
  agentHash: number | null;
  facts: Buffer | null;
  /** How the run is judged, as it is stored. */
  outcome: number;
  outcomeFlags: number;
  marks: Buffer | null;
  /** Changes if the trace is written again. */
  written: string;
}

/** Undefined if the workspace has no such trace. */
export async function readBlamedRow(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<BlamedRow | undefined> {
  const { rows } = await sql<BlamedRow>`
    select name, status, ${milliseconds("started_at")} as started_at, ${milliseconds("ended_at")} as ended_at,
      ${isOpen(workspaceId)} as is_open, outcome, outcome_flags, marks,
      case when decision_facts is not null then agent_hash end as agent_hash, decision_facts as facts, xmin::text as written
    from traces where workspace_id = ${workspaceId} and id = ${traceId}`.execute(db);
  return rows[0];
}

/** Milliseconds since 1970, as a number that the driver does not turn into a string. */
export const milliseconds = (column: string) =>
  sql`(extract(epoch from ${sql.ref(column)}) * 1000)::double precision`;
