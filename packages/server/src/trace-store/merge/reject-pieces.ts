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
    if (!size || !exceededLimit(size) || isEnd(merge)) continue;
    // Events of spans that are written again are replaced. They are counted only where that decides.
    const replacedEvents = await countEvents(trx, workspaceId, piece.id, [...stored.spans.keys()]);
    const reason = exceededLimit({ ...size, events: size.events - replacedEvents });
    if (reason) reasons.set(piece.id, reason);
  }
  return reasons;
}

/** A root without payloads is shorter: its metadata has at most 16 KiB of what its process says. */
const MAX_END_BYTES = 32 * 1024;

/** Whether a piece is the first root of its trace and hardly more: a trace without a root never ends, so one has room in any trace. */
const isEnd = ({ piece, stored: { state } }: Merge) =>
  piece.hasRoot &&
  !state.hasRoot &&
  piece.spans.length === 1 &&
  piece.events.length === 0 &&
  piece.bytes + piece.factsBytes <= MAX_END_BYTES;

const sizeAfter = (
  { piece, stored: { spans, state } }: Merge,
  { childCounts: [spanCount = 0, , eventCount = 0] }: LockedTrace,
): TraceSize => ({
  spans: grown(spanCount, piece.spans.length - spans.size),
  events: grown(eventCount, piece.events.length),
  bytes: grown(state.bytes, piece.bytes),
  factsBytes: grown(state.factsBytes, piece.factsBytes),
});

/** What does not grow needs no room: a trace has more than it may have once its root came. */
const grown = (before: number, added: number) => (added === 0 ? 0 : before + added);
