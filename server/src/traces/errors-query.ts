import { type RawBuilder, sql } from "kysely";

/** Errors with the same name and the same start of the message are one error. */
const MAX_MESSAGE_LENGTH = 200;

/** Selects a user's failed spans and ERROR events as (trace_id, name, message, at); a query around it filters them. */
export const errorsQuery = (userId: string): RawBuilder<unknown> => sql`
  select trace_id, name, left(status_message, ${sql.lit(MAX_MESSAGE_LENGTH)}) as message, started_at as at from spans
  where user_id = ${userId} and status = 'ERROR'
  union all
  select trace_id, name, null, timestamp from events where user_id = ${userId} and type = 'ERROR'`;
