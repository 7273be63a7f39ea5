import type pg from "pg";
import type { Database, Sharding } from "./database.ts";

/** The connections to one node of the database; without a cluster there is one. */
export interface Node {
  /** What is read or written about one workspace outside of its slots. */
  account: Database;
  read: pg.Pool;
  write: pg.Pool;
  /** For transactions that requests of several workspaces share. */
  group: pg.Pool;
  sharding: Sharding | undefined;
}
