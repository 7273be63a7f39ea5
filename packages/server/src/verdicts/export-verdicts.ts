import { DECISION_POINT } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import { readJsonChunks, type SizedRow } from "../db/copy/read-json-chunks.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { maxRowBytesSql, toIsoSql } from "../trace-store/rows/record-columns.ts";

const ROWS_PER_PAGE = 500;
const LINE_END = Buffer.from("\n");
const MAX_DECISION_BYTES = maxRowBytesSql(DECISION_POINT.fields);

interface ExportedRow extends SizedRow {
  traceId: string;
  createdAt: string;
}

/**
 * Yields a workspace's verdicts as NDJSON, oldest first, each with its decision: a dataset. Each page is found, and each chunk
 * read, in a slot of the workspace, so no connection waits for a slow client.
 */
export async function* exportVerdicts(
  reads: FairDatabase,
  workspaceId: WorkspaceId,
): AsyncGenerator<Buffer[]> {
  let last: ExportedRow | undefined;
  do {
    const rows = await reads.run(workspaceId, (db) => nextRows(db, workspaceId, last), {
      isContinued: last !== undefined,
    });
    for await (const lines of readJsonChunks(
      reads,
      workspaceId,
      rows,
      (chunk) => linesQuery(workspaceId, chunk),
      LINE_END,
    ))
      yield [...lines, LINE_END];
    last = rows.length < ROWS_PER_PAGE ? undefined : rows.at(-1);
  } while (last);
}

async function nextRows(
  db: Database,
  workspaceId: WorkspaceId,
  last: ExportedRow | undefined,
): Promise<ExportedRow[]> {
  const after = last
    ? sql`and (verdicts.created_at, verdicts.trace_id, verdicts.decision_point_id)
        > (${last.createdAt}::timestamptz, ${last.traceId}, ${last.id})`
    : sql``;
  const { rows } = await sql<ExportedRow>`
    select page.*, ${MAX_DECISION_BYTES} as max_bytes from (
      select trace_id, decision_point_id as id, created_at::text as created_at, created_at as judged_at from verdicts
      where verdicts.workspace_id = ${workspaceId} ${after}
      order by verdicts.created_at, trace_id, decision_point_id limit ${ROWS_PER_PAGE}
    ) as page
      left join decision_points as decisions on decisions.workspace_id = ${workspaceId}
        and decisions.trace_id = page.trace_id and decisions.id = page.id
    order by page.judged_at, page.trace_id, page.id`.execute(db);
  return rows;
}

/** JSON that was sent may contain line ends, as white space: a line must not. */
function linesQuery(workspaceId: WorkspaceId, rows: ExportedRow[]): RawBuilder<unknown> {
  const listed = JSON.stringify(rows.map(({ traceId, id }, position) => ({ traceId, id, position })));
  return sql`
    select translate(row_to_json(line)::text, E'\\n\\r', '  ')::json from (
      select verdicts.trace_id as "traceId", verdicts.decision_point_id as "decisionPointId", traces.name as "traceName",
        traces.status as "traceStatus", decisions.type, decisions.chosen, decisions.alternatives, decisions.reasoning,
        decisions.context_snapshot as context, ${sql.raw(toIsoSql("decisions.timestamp"))} as "timestamp",
        verdicts.verdict, verdicts.should_have_been as "shouldHaveBeen", verdicts.note,
        verdicts.suspect_rank as "suspectRank", ${sql.raw(toIsoSql("verdicts.created_at"))} as "createdAt"
      from json_to_recordset(${listed}::json) as listed ("traceId" text, id text, position integer)
        join verdicts on verdicts.workspace_id = ${workspaceId} and verdicts.trace_id = listed."traceId" collate "C"
          and verdicts.decision_point_id = listed.id collate "C"
        join decision_points as decisions on decisions.workspace_id = ${workspaceId}
          and decisions.trace_id = verdicts.trace_id and decisions.id = verdicts.decision_point_id
        join traces on traces.workspace_id = ${workspaceId} and traces.id = verdicts.trace_id
      order by listed.position) as line`;
}
