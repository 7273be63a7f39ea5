import type pg from "pg";
import type { Database } from "../db/database.ts";
import type { TraceRows } from "./encode-traces.ts";
import type { OpenParts } from "./open-parts.ts";
import type { OutdatedRows } from "./outdated-rows.ts";
import type { TenantBatch } from "./tenant-batch.ts";

/** What merging a user's pieces works on. */
export interface MergeContext {
  client: pg.PoolClient;
  trx: Database;
  tenant: TenantBatch;
  rows: TraceRows;
  /** The user's id, as it is copied. */
  user: Uint8Array;
  /** Deleted when all pieces are merged, before rows are copied. */
  outdated: OutdatedRows;
  openParts: OpenParts;
}
