import { READ_ONLY, sqlState } from "./sql-state.ts";

/**
 * Waits for a write that a read can do without, such as the time of the last use; returns undefined if the database is read-only.
 */
export async function unlessReadOnly<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (sqlState(error) !== READ_ONLY) throw error;
    return undefined;
  }
}
