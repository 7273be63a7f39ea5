import type { ParsedTrace } from "@whytrace/contract";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { PieceMerge } from "../rows/trace-piece.ts";

/** One request to store traces. */
export interface StoreRequest {
  workspaceId: WorkspaceId;
  /** The API key that was sent; undefined if the operator stores the traces. */
  keyId: string | undefined;
  /** By id. If a batch has the same id twice, the last trace counts. Empty if the request brings pieces of traces. */
  traces: ReadonlyMap<string, ParsedTrace>;
  /** Set if the request brings pieces of traces. */
  merge?: PieceMerge | undefined;
  /** The version of the rules by which it was masked; undefined if it brings nothing that was sent. */
  maskingVersion: number | undefined;
  /** The size of the request body. */
  bytes: number;
  /** The ids of its traces. */
  keys: string[];
}

/** What counters, agent sessions and streams need to know of a stored trace. */
export type TraceSummary = Pick<ParsedTrace, "id" | "status" | "sessionId" | "startedAt">;

/** The requests of one workspace in a transaction. */
export interface WorkspaceBatch<Request = StoreRequest> {
  workspaceId: WorkspaceId;
  requests: Request[];
}

/** Groups requests by workspace, sorted by workspace id, the order in which locks are taken. */
export const groupByWorkspace = <Request extends { workspaceId: WorkspaceId }>(
  requests: Request[],
): WorkspaceBatch<Request>[] =>
  [...Map.groupBy(requests, ({ workspaceId }) => workspaceId)]
    .map(([workspaceId, own]) => ({ workspaceId, requests: own }))
    .sort((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1));
