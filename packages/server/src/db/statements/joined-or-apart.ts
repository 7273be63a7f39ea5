import type { Database } from "../database.ts";

/** Two ways to the same result. */
interface Ways<T> {
  /** With statements that join tables, or read what an earlier statement wrote. */
  joined: () => Promise<T>;
  /** With statements that are each about the directory, or about one workspace and few tables. */
  apart: () => Promise<T>;
}

/**
 * Takes the way that suits the store. One PostgreSQL joins: that takes the fewest statements. A cluster cannot join tables of
 * the coordinator with tables of a node. It plans a statement about one table and one workspace once, and others each time,
 * which costs several times as much.
 */
export const joinedOrApart = <T>(db: Database, { joined, apart }: Ways<T>): Promise<T> =>
  db.sharding ? apart() : joined();
