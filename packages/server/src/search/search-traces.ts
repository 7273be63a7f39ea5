import { setTimeout as sleep } from "node:timers/promises";
import type { SearchLine } from "@whytrace/contract";
import type { FairDatabase } from "../db/fair-database.ts";
import { readTotals } from "../trace-store/counts/totals.ts";
import { countTraces } from "../traces/list-traces.ts";
import { formatCursor, START } from "./search-cursor.ts";
import { type SearchOptions, type SearchResources, TraceScan } from "./trace-scan.ts";

/** Progress is reported this often, however long a chunk takes. */
const MAX_SILENCE_MS = 900;
/** And not more often than this. */
const MIN_SILENCE_MS = 200;

/**
 * Searches a workspace's traces, the newest first, and yields the lines of the response. When the signal says so, it ends with a
 * cursor that continues the search.
 */
export async function* searchTraces(
  resources: SearchResources,
  options: SearchOptions,
): AsyncGenerator<SearchLine[]> {
  const { signal, cursor = START, traceId } = options;
  const totalTraces = traceId === undefined ? await readTotal(resources.reads, options) : 1;
  const scan = new TraceScan(resources, options);
  const counts = () => ({ traces: scan.traces, bytes: scan.bytes });
  const progress = (): SearchLine => ({
    kind: "progress",
    totalTraces,
    ...counts(),
    ...(scan.last && { reachedAt: scan.last.startedAt, cursor: formatCursor(scan.last) }),
  });
  let reportedAt = performance.now();
  const report = () => {
    reportedAt = performance.now();
    return progress();
  };
  try {
    yield [report()];
    while (!scan.isDone) {
      const chunk = scan.searchNext();
      // Its error is thrown below; until then, it is not unhandled.
      chunk.catch(() => {});
      try {
        while (!(await isSettledWithin(chunk, reportedAt + MAX_SILENCE_MS - performance.now())))
          yield [report()];
      } finally {
        // The reader may be gone: the search has ended when it uses nothing any more.
        await chunk.catch(() => {});
      }
      const lines: SearchLine[] = await chunk;
      if (performance.now() - reportedAt >= MIN_SILENCE_MS) lines.push(report());
      if (lines.length > 0) yield lines;
    }
    const isComplete = scan.isComplete || (traceId !== undefined && !signal.aborted);
    yield [{ kind: "end", cursor: isComplete ? null : formatCursor(scan.last ?? cursor), ...counts() }];
  } finally {
    await scan.close();
  }
}

function readTotal(reads: FairDatabase, { workspaceId, filter }: SearchOptions): Promise<number> {
  return reads.run(workspaceId, async (db) =>
    countTraces(db, workspaceId, await readTotals(db, workspaceId), filter),
  );
}

async function isSettledWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController();
  const isSettled = await Promise.race([
    work.then(
      () => true,
      () => true,
    ),
    sleep(Math.max(0, milliseconds), false, { signal: timer.signal }).catch(() => false),
  ]);
  timer.abort();
  return isSettled;
}
