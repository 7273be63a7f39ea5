import { type RawBuilder, sql } from "kysely";
import type { DayRange } from "./days/read-days.ts";

/** A condition on rows of `traces`: they started on one of these days. */
export const startedIn = ({ from, to }: DayRange): RawBuilder<unknown> => sql`
  started_at >= ${from}::date::timestamp at time zone 'utc' and started_at < ${to}::date::timestamp at time zone 'utc'`;
