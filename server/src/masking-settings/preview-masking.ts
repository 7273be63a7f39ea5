import { setImmediate as nextEventLoopIteration } from "node:timers/promises";
import type { MaskingPreviewLine } from "@whytrace/contract/schemas/masking/settings";
import { sql } from "kysely";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { CompiledMasking } from "../masking/compiled-masking.ts";
import { type CountedPlace, countMatches } from "../masking/count-matches.ts";
import { getTrace } from "../traces/get-trace.ts";

const TRACES_PER_PROGRESS = 25;
/** A preview of long traces ends earlier. */
const MAX_BYTES = 256 * 1024 * 1024;
const MIB = 1024 * 1024;
/** Its slots need no limit: a workspace has one preview at a time. */
const CONTINUED = { isContinued: true };

/** Counts what would be masked in addition in the newest traces, by place. Yields lines of progress, then the result. */
export async function* previewMasking(
  reads: FairDatabase,
  workspaceId: WorkspaceId,
  masking: CompiledMasking,
  maxTraces: number,
): AsyncGenerator<Buffer[]> {
  const places = new Map<string, CountedPlace & { traces: number }>();
  let [traces, matchedTraces, bytes, spentMs] = [0, 0, 0, 0];
  for (const id of await newestTraces(reads, workspaceId, maxTraces)) {
    const trace = await getTrace(reads, workspaceId, id, "whole", { slot: CONTINUED });
    if (!trace) continue;
    const chunks: Buffer[] = [];
    for await (const some of trace.chunks()) chunks.push(...some.map((chunk) => Buffer.from(chunk)));
    const json = Buffer.concat(chunks);
    const startedAt = performance.now();
    const counted = countMatches(JSON.parse(json.toString()), masking);
    spentMs += performance.now() - startedAt;
    for (const place of counted) {
      const key = JSON.stringify([place.place, place.type, place.rule]);
      const known = places.get(key);
      if (!known) places.set(key, { ...place, traces: 1 });
      else {
        known.count += place.count;
        known.traces += 1;
      }
    }
    traces += 1;
    bytes += json.length;
    if (counted.length > 0) matchedTraces += 1;
    if (traces % TRACES_PER_PROGRESS === 0) yield line({ kind: "progress", traces });
    if (bytes > MAX_BYTES) break;
    await nextEventLoopIteration();
  }
  const fields = [...places.values()].sort((a, b) => b.count - a.count);
  const costMsPerMiB = bytes === 0 ? 0 : Math.round((10 * spentMs * MIB) / bytes) / 10;
  yield line({ kind: "result", traces, matchedTraces, fields, costMsPerMiB });
}

const line = (value: MaskingPreviewLine) => [Buffer.from(`${JSON.stringify(value)}\n`)];

async function newestTraces(reads: FairDatabase, workspaceId: WorkspaceId, limit: number): Promise<string[]> {
  const { rows } = await reads.run(workspaceId, (db) =>
    sql<{ id: string }>`
      select id from traces where workspace_id = ${workspaceId} order by started_at desc, id desc limit ${limit}`.execute(
      db,
    ),
  );
  return rows.map(({ id }) => id);
}
