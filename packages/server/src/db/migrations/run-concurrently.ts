import { sql } from "kysely";
import type { Database } from "../database.ts";
import { splitStatements } from "./split-statements.ts";

/*
 * `create index` blocks writes to its table until the index is built. `create index concurrently` does not, but
 * PostgreSQL runs it only outside a transaction, so it is not rolled back if it fails: it leaves an invalid index. A
 * migration whose first line is the marker therefore runs statement by statement, and may run again from its start.
 */

const MARKER = "-- no transaction";
const CONCURRENT_INDEX = /^create (?:unique )?index concurrently if not exists (\w+) on /i;
const REPEATABLE = /^drop index concurrently if exists /i;

export const isConcurrent = (migration: string) => migration.startsWith(`${MARKER}\n`);

/** Runs the statements of a migration outside a transaction. Builds an index again if an earlier build was interrupted. */
export async function runConcurrently(db: Database, migration: string): Promise<void> {
  for (const statement of splitStatements(migration)) {
    const indexName = CONCURRENT_INDEX.exec(statement)?.[1];
    if (indexName !== undefined) await dropInvalidIndex(db, indexName);
    else if (!REPEATABLE.test(statement))
      throw new Error(
        `A migration without a transaction may contain only "create index concurrently if not exists <name> on" and ` +
          `"drop index concurrently if exists", not: ${statement}`,
      );
    await sql.raw(statement).execute(db);
  }
}

async function dropInvalidIndex(db: Database, name: string): Promise<void> {
  const { rows } = await sql`
    select from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`.execute(db);
  if (rows.length > 0) await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db);
}
