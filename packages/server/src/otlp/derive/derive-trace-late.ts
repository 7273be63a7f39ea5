import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { TracePiece } from "../../trace-store/rows/trace-piece.ts";
import type { TraceStore } from "../../trace-store/store/store-traces.ts";
import { SPAN_FACTS_CODEC } from "./facts-codec.ts";

/** Large enough to be stored in a transaction of its own. */
const LARGE_BYTES = 1024 * 1024;

/** Derives a trace again, if that is still due. */
export async function deriveTraceLate(
  store: TraceStore,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<void> {
  const nothing: TracePiece = {
    id: traceId,
    spans: [],
    events: [],
    hasRoot: false,
    loggedIds: "all",
    part: undefined,
    bytes: 0,
    factsBytes: 0,
  };
  const pieces = new Map([[traceId, nothing]]);
  await store.merge(
    { workspaceId },
    { pieces, codec: SPAN_FACTS_CODEC, isExistingOnly: true, isLate: true },
    LARGE_BYTES,
  );
}
