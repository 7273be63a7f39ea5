import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { type ErrorOfRun, errorOfRun, type FailedRun } from "../../outcomes/error-of-run.ts";

type InTrace<Row> = Row & { traceId: string };

const ms = (column: string) => sql.raw(`floor(extract(epoch from ${column}) * 1000)::bigint as ${column}`);

/** The errors that stored runs ended with, by the id of the trace. */
export async function readRunErrors(
  db: Database,
  workspaceId: WorkspaceId,
  ids: string[],
): Promise<ReadonlyMap<string, ErrorOfRun>> {
  if (ids.length === 0) return new Map();
  const ofTraces = sql`workspace_id = ${workspaceId} and trace_id = any(${textList(ids)})`;
  const [spans, events] = await Promise.all([
    sql<InTrace<FailedRun["spans"][number]>>`
      select trace_id, id, parent_span_id, name, status, status_message, ${ms("started_at")}, ${ms("ended_at")}
      from spans where ${ofTraces} order by trace_id, position`.execute(db),
    sql<InTrace<FailedRun["events"][number]>>`
      select trace_id, type, name, span_id, ${ms("timestamp")} from events
      where ${ofTraces} and type = 'ERROR' order by trace_id, position`.execute(db),
  ]);
  const spansOf = Map.groupBy(spans.rows, ({ traceId }) => traceId);
  const eventsOf = Map.groupBy(events.rows, ({ traceId }) => traceId);
  return new Map(
    ids.map((id) => [
      id,
      errorOfRun({
        startedAt: 0,
        endedAt: null,
        spans: spansOf.get(id) ?? [],
        events: eventsOf.get(id) ?? [],
      }),
    ]),
  );
}
