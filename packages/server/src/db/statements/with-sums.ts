import { type RawBuilder, sql } from "kysely";
import { sqlState } from "../sql-state.ts";

/** SQL that sums a column of type double precision. */
export type Sum = (column: string) => RawBuilder<number | null>;

/** SQLSTATE numeric_value_out_of_range. */
const OUT_OF_RANGE = "22003";

const sum: Sum = (column) => sql`sum(${sql.ref(column)})`;

/** Cannot overflow: a result beyond the largest number becomes that number. Several times slower. */
const boundedSum: Sum = (column) => {
  const values = sql.ref(column);
  const largest = sql`${BigInt(Number.MAX_VALUE).toString()}::numeric`;
  // least and greatest ignore the null of an empty sum.
  return sql`case when count(${values}) > 0
    then greatest(-${largest}, least(${largest}, sum(${values}::numeric)))::double precision end`;
};

/**
 * Runs a query that sums. PostgreSQL fails if a sum exceeds the range of its type; then the query runs again, with sums
 * that end at the largest number. Not inside a transaction, which the failure would abort.
 */
export async function withSums<T>(query: (sum: Sum) => Promise<T>): Promise<T> {
  try {
    return await query(sum);
  } catch (error) {
    if (sqlState(error) !== OUT_OF_RANGE) throw error;
    return query(boundedSum);
  }
}
