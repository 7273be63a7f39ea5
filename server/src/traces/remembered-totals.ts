import type { Database } from "../db/database.ts";
import { readTotals, type Totals } from "./totals.ts";

/*
 * Counting what a search finds among 100,000 traces takes longer than showing a page of it, and whoever turns pages has
 * it counted again for each. So a total is remembered together with the version of the user's traces it was counted
 * at. The version goes up in every transaction that changes a trace, and is read from the database each time: while it
 * is the same the total is exact, on every server; when it is not, it is counted anew.
 */

const REMEMBERED_MOST = 2_000;
const KEY_MOST_LENGTH = 1_000;

interface Remembered {
  version: number;
  total: number;
}

class RememberedTotals {
  /** In the order of their last use. */
  readonly #remembered = new Map<string, Remembered>();

  /** `filter` is what else, but the user, the total depends on. */
  async total(
    db: Database,
    userId: string,
    filter: unknown,
    kept: (totals: Totals) => number | undefined,
    count: () => Promise<number>,
  ): Promise<number> {
    // Read before counting: what is committed in between makes the remembered version old, never the total wrong.
    const { version, ...totals } = await readTotals(db, userId);
    const known = kept(totals);
    if (known !== undefined) return known;
    const key = JSON.stringify([userId, filter]);
    const remembered = this.#remembered.get(key);
    this.#remembered.delete(key);
    const total = remembered?.version === version ? remembered.total : await count();
    if (key.length <= KEY_MOST_LENGTH) this.#remembered.set(key, { version, total });
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= REMEMBERED_MOST) break;
      this.#remembered.delete(oldest);
    }
    return total;
  }
}

/** One for the process: users have ids of their own on every database. */
export const rememberedTotals = new RememberedTotals();
