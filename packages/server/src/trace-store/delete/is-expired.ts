import { sql } from "kysely";

/**
 * The condition that traces are older than `days`, by the clock of the database. The age counts from their
 * start, or from when they were stored if that was later: a trace of an earlier year that arrives today is kept as long
 * as the others that arrive today. A day has 24 hours, also where the clocks change.
 */
export const isExpired = (days: number) => {
  const before = sql`now() - ${days * 24} * interval '1 hour'`;
  return sql`(created_at <= ${before} and started_at <= ${before})`;
};
