import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "./database.ts";

interface Turn<T> {
  keys: Set<string>;
  found: Promise<ReadonlyMap<string, T>>;
}

/**
 * Reads one thing at a time for its callers and many at a time from the database: what is asked for in the same turn of
 * the event loop, by however many requests, is one query. Nobody waits for others, and nothing is kept: whoever asks
 * is answered from a query that began after they asked.
 */
export function batchedRead<T>(read: (db: Database, keys: string[]) => Promise<ReadonlyMap<string, T>>) {
  const turns = new WeakMap<Database, Turn<T>>();
  return async (db: Database, key: string): Promise<T | undefined> => {
    let turn = turns.get(db);
    if (!turn) {
      const keys = new Set<string>();
      const found = nextTurn().then(() => {
        turns.delete(db);
        return read(db, [...keys]);
      });
      turn = { keys, found };
      turns.set(db, turn);
    }
    turn.keys.add(key);
    return (await turn.found).get(key);
  };
}
