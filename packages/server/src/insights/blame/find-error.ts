import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import {
  type ErrorEvent,
  errorOfEvent,
  type TraceError,
  type TraceErrors,
} from "../../decision-facts/trace-errors.ts";

/** The error that a failed span ended with, or the last one that an event in it reports; without a span, that of the trace. */
export async function findError(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
  { errors, spanId }: { errors: TraceErrors<number>; spanId: string | undefined },
): Promise<TraceError<number> | undefined> {
  if (spanId === undefined) return errors.ofTrace();
  const { rows: spans } = await sql<{ position: number }>`
    select position from spans where workspace_id = ${workspaceId} and trace_id = ${traceId} and id = ${spanId}`.execute(
    db,
  );
  const position = spans[0]?.position ?? null;
  const error = position === null ? undefined : errors.ofSpan(position);
  if (error) return error;
  const { rows: events } = await sql<Omit<ErrorEvent<number>, "spanId">>`
    select position as id, (extract(epoch from timestamp) * 1000)::double precision as timestamp
    from events where workspace_id = ${workspaceId} and trace_id = ${traceId} and type = 'ERROR' and span_id = ${spanId}
    order by events.timestamp desc limit 1`.execute(db);
  return events[0] && errorOfEvent({ ...events[0], spanId: position });
}
