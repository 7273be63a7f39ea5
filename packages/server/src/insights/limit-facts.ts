import { type RawBuilder, sql } from "kysely";

/** The facts of a trace with very many decisions have 1.5 MB. */
export const MAX_FACTS_BYTES = 4 * 1024 * 1024;

/**
 * Of the rows of a query, in an order, those whose `facts` come before the limit; at least one. The sizes are known without
 * reading the facts.
 */
export const limitFacts = (
  query: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  maxBytes = MAX_FACTS_BYTES,
): RawBuilder<unknown> => sql`
  select * from (
    select *, sum(coalesce(octet_length(facts), 0)) over (order by ${order} rows unbounded preceding) - coalesce(octet_length(facts), 0)
      as "bytesBefore"
    from (${query}) as found
  ) as measured
  where "bytesBefore" < ${maxBytes} order by ${order}`;
