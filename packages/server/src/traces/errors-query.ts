import { type RawBuilder, sql } from "kysely";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Errors with the same name and the same start of the message are one error. */
const MAX_MESSAGE_LENGTH = 200;

/** Selects a workspace's failed spans and ERROR events as (trace_id, name, message, at); a query around it filters them. */
export const errorsQuery = (workspaceId: WorkspaceId): RawBuilder<unknown> => sql`
  select trace_id, name, left(status_message, ${sql.lit(MAX_MESSAGE_LENGTH)}) as message, started_at as at from spans
  where workspace_id = ${workspaceId} and status = 'ERROR'
  union all
  select trace_id, name, null, timestamp from events where workspace_id = ${workspaceId} and type = 'ERROR'`;
