import type { Database } from "../database.ts";

/**
 * Runs `work` on the directory after statements of a transaction that were sent before, also if they fail. A connection runs
 * its statements in order: on one PostgreSQL, `work` shares it and need not wait. The directory of a cluster has another one.
 */
export async function directoryAfter<T>(
  trx: Database,
  statements: Promise<unknown>[],
  work: (directory: Database) => Promise<T>,
): Promise<T> {
  if (trx.directory !== trx) await Promise.allSettled(statements);
  return work(trx.directory);
}
