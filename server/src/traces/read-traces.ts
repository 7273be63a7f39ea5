import type { FairDatabase } from "../db/fair-database.ts";
import { findTracesAfter } from "./find-traces-after.ts";
import { getTrace, type StoredTrace } from "./get-trace.ts";
import type { RecordDetail } from "./stored-record.ts";
import type { TraceFilter } from "./trace-filter.ts";

const IDS_PER_QUERY = 200;
/** One export of a user runs at a time, so its turns need no limit. */
const CONTINUED = { isContinued: true };

export interface WantedTraces {
  filter?: TraceFilter;
  /** Only these traces. */
  ids?: string[] | undefined;
  detail: RecordDetail;
}

/**
 * Yields traces of a user, in the order of their ids. They are read one at a time, each in the user's turn: memory holds one
 * trace, or a slice of a large one, and no connection waits for a slow client.
 */
export async function* readTraces(
  reads: FairDatabase,
  userId: string,
  { filter = { tags: [] }, ids, detail }: WantedTraces,
): AsyncGenerator<StoredTrace> {
  for await (const id of matchingIds(reads, userId, { ...filter, ids })) {
    const trace = await getTrace(reads, userId, id, detail, { turn: CONTINUED });
    // It is undefined if the trace was deleted after its id was read.
    if (trace) yield trace;
  }
}

async function* matchingIds(
  reads: FairDatabase,
  userId: string,
  filter: TraceFilter,
): AsyncGenerator<string> {
  let lastId: string | undefined;
  do {
    const rows = await reads.run(
      userId,
      (db) => findTracesAfter(db, userId, { filter, lastId, limit: IDS_PER_QUERY }),
      { isContinued: lastId !== undefined },
    );
    for (const { id } of rows) yield id;
    lastId = rows.length < IDS_PER_QUERY ? undefined : rows.at(-1)?.id;
  } while (lastId !== undefined);
}
