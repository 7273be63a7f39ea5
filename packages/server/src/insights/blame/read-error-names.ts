import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { TraceError } from "../../decision-facts/trace-errors.ts";

const MAX_MESSAGE_LENGTH = 2_000;

interface NamedError {
  /** Null if the error is an event without a span, or if only the trace says that it failed. */
  spanId: string | null;
  name: string;
  message: string | null;
}

/** Reads what errors of a trace are called, in their order. The trace's own error has its name. */
export async function readErrorNames(
  db: Database,
  workspaceId: WorkspaceId,
  { traceId, traceName }: { traceId: string; traceName: string },
  errors: readonly TraceError<number>[],
): Promise<NamedError[]> {
  const eventIds = errors.flatMap(({ eventId }) => eventId ?? []);
  const spanIds = errors.flatMap(({ spanId, eventId }) => (eventId === null ? (spanId ?? []) : []));
  const { rows } = await sql<NamedError & { eventId: number | null; position: number }>`
    select position, null::integer as event_id, id as span_id, name,
      left(status_message, ${MAX_MESSAGE_LENGTH}) as message
    from spans where workspace_id = ${workspaceId} and trace_id = ${traceId} and position = any(${spanIds}::integer[])
    union all
    select position, position, span_id, name, null
    from events where workspace_id = ${workspaceId} and trace_id = ${traceId} and position = any(${eventIds}::integer[])`.execute(
    db,
  );
  const [spans, events] = [new Map<number | null, NamedError>(), new Map<number | null, NamedError>()];
  for (const { eventId, position, spanId, name, message } of rows)
    (eventId === null ? spans : events).set(position, { spanId, name, message });
  const ofTrace = { spanId: null, name: traceName, message: null };
  return errors.map(
    ({ spanId, eventId }) => (eventId === null ? spans.get(spanId) : events.get(eventId)) ?? ofTrace,
  );
}
