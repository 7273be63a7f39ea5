import { READ_ONLY, sqlState } from "./sql-state.ts";

/** Waits for a write that a read can do without, such as the time of the last use, also if the database is read-only. */
export async function unlessReadOnly(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (sqlState(error) !== READ_ONLY) throw error;
  }
}
