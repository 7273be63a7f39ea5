import type pg from "pg";
import type { Database } from "./database.ts";
import type { Sharding } from "./sharding.ts";

/** The connections to one node of the database; without a cluster there is one. */
export interface Node {
  /** What is read or written about one user outside of their turns. */
  account: Database;
  read: pg.Pool;
  write: pg.Pool;
  /** For transactions that requests of several users share. */
  group: pg.Pool;
  sharding: Sharding | undefined;
}
