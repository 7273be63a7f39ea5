import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { findTracesAfter } from "./find-traces-after.ts";
import { getTrace, type StreamedTrace } from "./get-trace.ts";
import type { RecordDetail } from "./stored-record.ts";
import type { TraceFilter } from "./trace-filter.ts";

const IDS_PER_QUERY = 200;
/** One export of a workspace runs at a time, so its slots need no limit. */
const CONTINUED = { isContinued: true };

export interface WantedTraces {
  filter?: TraceFilter;
  /** Only these traces. */
  ids?: string[] | undefined;
  detail: RecordDetail;
}

/**
 * Yields traces of a workspace, each with its outcome, in the order of their ids. They are read one at a time, each in a slot of the workspace: memory holds one
 * trace, or a slice of a large one, and no connection waits for a slow client.
 */
export async function* readTraces(
  reads: FairDatabase,
  workspaceId: WorkspaceId,
  { filter = { tags: [] }, ids, detail }: WantedTraces,
): AsyncGenerator<StreamedTrace> {
  for await (const id of matchingIds(reads, workspaceId, { ...filter, ids })) {
    const trace = await getTrace(reads, workspaceId, id, detail, { kind: "exportedTrace", slot: CONTINUED });
    // It is undefined if the trace was deleted after its id was read.
    if (trace) yield trace;
  }
}

async function* matchingIds(
  reads: FairDatabase,
  workspaceId: WorkspaceId,
  filter: TraceFilter,
): AsyncGenerator<string> {
  let lastId: string | undefined;
  do {
    const rows = await reads.run(
      workspaceId,
      (db) => findTracesAfter(db, workspaceId, { filter, lastId, limit: IDS_PER_QUERY }),
      { isContinued: lastId !== undefined },
    );
    for (const { id } of rows) yield id;
    lastId = rows.length < IDS_PER_QUERY ? undefined : rows.at(-1)?.id;
  } while (lastId !== undefined);
}
