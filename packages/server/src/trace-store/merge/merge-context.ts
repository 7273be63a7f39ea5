import type pg from "pg";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { Definitions } from "../../outcomes/definition.ts";
import type { Prices } from "../../prices/price-trace.ts";
import type { TraceRows } from "../rows/encode-traces.ts";
import type { OpenParts } from "./open-parts.ts";
import type { OutdatedRows } from "./outdated-rows.ts";

/** What merging a workspace's pieces works on. */
export interface MergeContext {
  client: pg.PoolClient;
  trx: Database;
  workspaceId: WorkspaceId;
  /** Undefined if no cost has to be computed. */
  prices: Prices | undefined;
  definitions: Definitions;
  rows: TraceRows;
  /** The workspace's id, as it is copied. */
  workspace: Uint8Array;
  /** Deleted when all pieces are merged, before rows are copied. */
  outdated: OutdatedRows;
  openParts: OpenParts;
}
