import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import type { Database } from "./database.ts";

interface Batch<Key, T> {
  keys: Set<Key>;
  results: Promise<ReadonlyMap<Key, T>>;
}

/**
 * Batches reads: all keys requested in one iteration of the event loop, by any number of requests, become one query. Nothing
 * is cached: each caller gets the result of a query that started after its call.
 */
export function batchedRead<Key extends string, T>(
  read: (db: Database, keys: Key[]) => Promise<ReadonlyMap<Key, T>>,
) {
  const batches = new WeakMap<Database, Batch<Key, T>>();
  return async (db: Database, key: Key): Promise<T | undefined> => {
    let batch = batches.get(db);
    if (!batch) {
      const keys = new Set<Key>();
      const results = nextEventLoopTurn().then(() => {
        batches.delete(db);
        return read(db, [...keys]);
      });
      batch = { keys, results };
      batches.set(db, batch);
    }
    batch.keys.add(key);
    return (await batch.results).get(key);
  };
}
