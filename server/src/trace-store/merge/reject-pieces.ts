import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { LockedTrace } from "../batch/claim-ids.ts";
import { exceededLimit, type TraceSize } from "./exceeded-limit.ts";
import { countEvents, type Merge } from "./stored-pieces.ts";

/** Finds the pieces for which their traces have no room. Returns the reasons by the ids of these traces. */
export async function rejectPieces(
  trx: Database,
  workspaceId: WorkspaceId,
  merges: Merge[],
): Promise<Map<string, string>> {
  const reasons = new Map<string, string>();
  for (const merge of merges) {
    const { piece, existing, stored } = merge;
    const size = existing && sizeAfter(merge, existing);
    if (!size || !exceededLimit(size)) continue;
    // Events of spans that are written again are replaced. They are counted only where that decides.
    const replacedEvents = await countEvents(trx, workspaceId, piece.id, [...stored.spans.keys()]);
    const reason = exceededLimit({ ...size, events: size.events - replacedEvents });
    if (reason) reasons.set(piece.id, reason);
  }
  return reasons;
}

const sizeAfter = (
  { piece, stored: { spans, state } }: Merge,
  { childCounts: [spanCount = 0, , eventCount = 0] }: LockedTrace,
): TraceSize => ({
  spans: spanCount + piece.spans.length - spans.size,
  events: eventCount + piece.events.length,
  bytes: state.bytes + piece.bytes,
  factsBytes: state.factsBytes + piece.factsBytes,
});
