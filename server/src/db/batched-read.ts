import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import type { Database } from "./database.ts";

interface Batch<T> {
  keys: Set<string>;
  results: Promise<ReadonlyMap<string, T>>;
}

/**
 * Batches reads: all keys requested in one turn of the event loop, by any number of requests, become one query. Nothing
 * is cached: each caller gets the result of a query that started after its call.
 */
export function batchedRead<T>(read: (db: Database, keys: string[]) => Promise<ReadonlyMap<string, T>>) {
  const batches = new WeakMap<Database, Batch<T>>();
  return async (db: Database, key: string): Promise<T | undefined> => {
    let batch = batches.get(db);
    if (!batch) {
      const keys = new Set<string>();
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
