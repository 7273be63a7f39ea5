import type { TraceStore } from "../trace-store/store-traces.ts";
import type { TracePiece } from "../trace-store/trace-piece.ts";
import { FACTS } from "./facts-codec.ts";

/** Large enough to be stored in a transaction of its own. */
const LARGE_BYTES = 1024 * 1024;

/** Derives a trace again, if that is still due. */
export async function deriveTraceLate(store: TraceStore, userId: string, traceId: string): Promise<void> {
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
  await store.merge({ userId }, { pieces, facts: FACTS, isExistingOnly: true, isLate: true }, LARGE_BYTES);
}
