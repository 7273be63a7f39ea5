import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";

const CONFLICTS = new Set(["40001", "40P01"]);
const ATTEMPTS = 4;

/** Runs `work` in one transaction; a serialization failure or a deadlock is tried again, unseen by the caller. */
export async function transaction<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      const isConflict = error instanceof Error && "code" in error && CONFLICTS.has(String(error.code));
      if (!isConflict || attempt === ATTEMPTS) throw error;
      await sleep(Math.random() * 20 * attempt);
    }
  }
}
