import type { ParsedTrace } from "@whytrace/contract";
import type { Prices } from "../prices/price-trace.ts";
import type { LockedTrace } from "./claim-ids.ts";
import { noTotals, type Totals } from "./totals.ts";
import type { TraceManifest } from "./trace-manifest.ts";
import type { PieceMerge, TracePiece } from "./trace-piece.ts";

/** One request to store traces. */
export interface StoreRequest {
  userId: string;
  /** The API key that was sent; undefined if the operator stores the traces. */
  keyId: string | undefined;
  batch: ParsedTrace[];
  /** Set instead of a batch if the request brings pieces of traces. */
  merge?: PieceMerge | undefined;
  /** The size of the request body. */
  bytes: number;
  /** The ids of its traces. */
  keys: string[];
}

/** What counters, agent sessions and streams need to know of a stored trace. */
export type TraceSummary = Pick<ParsedTrace, "id" | "status" | "sessionId" | "startedAt">;

/** The traces of one request that are stored; those that belong to other users are left out. */
export interface RequestTraces {
  request: StoreRequest;
  /** By id. If a batch has the same id twice, the last trace counts. */
  traces: Map<string, ParsedTrace>;
  pieces: Map<string, TracePiece>;
  /** What the traces are after their pieces were merged. */
  merged: TraceSummary[];
  /** The ids that are new. */
  created: Set<string>;
  /** Why pieces are left out, by the id of their trace: the trace has as much as it may have. */
  rejected: Map<string, string>;
}

/** All that one transaction stores for one user, who may have sent several of its requests. */
export interface TenantBatch {
  userId: string;
  requests: RequestTraces[];
  /** The traces that exist already, locked, by id. */
  existing: Map<string, LockedTrace>;
  /** How the transaction changes the user's totals. */
  totalsChange: Totals;
  /** The days whose figures change: those of traces with decisions, before and after. */
  decisionDays: Set<string>;
  /** The traces whose facts are computed from their rows, when all rows are written. */
  outdatedFacts: string[];
  /** The new manifests of running traces, by trace id. */
  manifests: Map<string, TraceManifest>;
  /** Undefined if no cost has to be computed. */
  prices?: Prices;
}

/** The ids that a request may store. */
export const requestIds = ({ traces, pieces }: RequestTraces): string[] => [
  ...traces.keys(),
  ...pieces.keys(),
];

/** Groups requests by user, sorted by user id, the order in which locks are taken. */
export function groupByTenant(requests: StoreRequest[]): TenantBatch[] {
  const byUser = Map.groupBy(requests, ({ userId }) => userId);
  return [...byUser]
    .map(([userId, own]) => ({
      userId,
      requests: own.map((request) => ({
        request,
        traces: new Map(request.batch.map((trace) => [trace.id, trace])),
        pieces: new Map(request.merge?.pieces),
        merged: [] as TraceSummary[],
        created: new Set<string>(),
        rejected: new Map<string, string>(),
      })),
      existing: new Map<string, LockedTrace>(),
      totalsChange: noTotals(),
      decisionDays: new Set<string>(),
      outdatedFacts: [] as string[],
      manifests: new Map<string, TraceManifest>(),
    }))
    .sort((a, b) => (a.userId < b.userId ? -1 : 1));
}
