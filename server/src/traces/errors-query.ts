import { type RawBuilder, sql } from "kysely";

/** Of a span's message, so much tells one error from another. */
const MESSAGE_LENGTH = 200;

/** The user's failed spans and ERROR events, as (trace_id, name, message, at). Meant to be narrowed down from outside. */
export const errorsQuery = (userId: string): RawBuilder<unknown> => sql`
  select trace_id, name, left(status_message, ${sql.lit(MESSAGE_LENGTH)}) as message, started_at as at from spans
  where user_id = ${userId} and status = 'ERROR'
  union all
  select trace_id, name, null, timestamp from events where user_id = ${userId} and type = 'ERROR'`;
