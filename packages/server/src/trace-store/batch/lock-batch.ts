import type { ParsedTrace } from "@whytrace/contract";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { TracePiece } from "../rows/trace-piece.ts";
import { type LockedTrace, lockTraces, reclaimIds } from "./claim-ids.ts";
import type { StoreRequest, WorkspaceBatch } from "./workspace-batch.ts";

/** A request without the traces of other workspaces. */
interface LockedRequest {
  request: StoreRequest;
  traces: ParsedTrace[];
  pieces: TracePiece[];
}

/** A workspace's requests, with the traces that they replace or add pieces to locked. */
export interface LockedBatch {
  workspaceId: WorkspaceId;
  requests: LockedRequest[];
  /** The traces that exist already, by id. All others are new. */
  existing: ReadonlyMap<string, LockedTrace>;
}

/** Locks the workspace's existing traces, and leaves out traces of other workspaces. */
export async function lockBatch(
  trx: Database,
  { workspaceId, requests }: WorkspaceBatch,
  claimed: ReadonlySet<string>,
): Promise<LockedBatch> {
  const taken = requests.flatMap(({ keys }) => keys.filter((id) => !claimed.has(id)));
  const existing = await lockTraces(trx, workspaceId, taken.sort());
  const missing = requests
    .filter(({ merge }) => !merge?.isExistingOnly)
    .flatMap(({ keys }) => keys.filter((id) => !claimed.has(id) && !existing.has(id)));
  const reclaimed = new Set(await reclaimIds(trx, workspaceId, missing));
  const isOwn = ({ id }: { id: string }) => claimed.has(id) || existing.has(id) || reclaimed.has(id);
  // A worker that waited for the lock need not derive a trace that its spans' own transaction has derived meanwhile.
  const isDue = ({ merge }: StoreRequest, { id }: TracePiece) =>
    !merge?.isLate || existing.get(id)?.isDerivationDue === true;
  return {
    workspaceId,
    requests: requests.map((request) => ({
      request,
      traces: [...request.traces.values()].filter(isOwn),
      pieces: [...(request.merge?.pieces.values() ?? [])].filter(
        (piece) => isOwn(piece) && isDue(request, piece),
      ),
    })),
    existing,
  };
}
