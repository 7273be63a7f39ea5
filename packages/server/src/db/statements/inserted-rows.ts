import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database.ts";

/** Two ways to send rows with a statement. */
interface RowForms<Row> {
  /** A row of VALUES. */
  value: (row: Row) => RawBuilder<unknown>;
  /** A SELECT from one parameter with all rows: the text of the statement does not depend on their number. */
  select: (rows: Row[]) => RawBuilder<unknown>;
}

/**
 * What an INSERT inserts, and the comment before it that makes it a prepared statement, if its text is constant. A cluster
 * passes on rows of VALUES; those of a SELECT it would collect first.
 */
export function insertedRows<Row>(trx: Database, rows: Row[], { value, select }: RowForms<Row>) {
  const isValues = trx.sharding !== undefined || rows.length === 1;
  return {
    prepared: sql.raw(isValues && rows.length > 1 ? "" : "/* prepared */"),
    inserted: isValues ? sql`values ${sql.join(rows.map(value))}` : select(rows),
  };
}
