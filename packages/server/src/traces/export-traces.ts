import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { readTraces, type WantedTraces } from "./read-traces.ts";
import { traceLine } from "./trace-line.ts";

/** Yields traces as NDJSON, one trace per line, in the order of their ids. */
export async function* exportTraces(
  reads: FairDatabase,
  workspaceId: WorkspaceId,
  wanted: WantedTraces,
): AsyncGenerator<Buffer[]> {
  for await (const trace of readTraces(reads, workspaceId, wanted)) yield* traceLine(trace);
}
