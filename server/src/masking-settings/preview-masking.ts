import { setImmediate as nextEventLoopIteration } from "node:timers/promises";
import type { MaskingPreviewLine, MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { CompiledMasking } from "../masking/compiled-masking.ts";
import { getTrace } from "../traces/get-trace.ts";
import { type CountedPlace, countMatches } from "./count-matches.ts";
import { judgeCost, measureCost } from "./measure-cost.ts";
import { newestTraces } from "./newest-traces.ts";

const TRACES_PER_PROGRESS = 25;
/** A preview of long traces ends earlier. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Its slots need no limit: a workspace has one preview at a time. */
const CONTINUED = { isContinued: true };

export interface PreviewedMasking {
  masking: CompiledMasking;
  /** Those that it was compiled from. */
  rules: readonly MaskingRule[];
  maxTraces: number;
}

/** Counts what would be masked in addition in the newest traces, by place. Yields lines of progress, then the result. */
export async function* previewMasking(
  reads: FairDatabase,
  workspaceId: WorkspaceId,
  { masking, rules, maxTraces }: PreviewedMasking,
): AsyncGenerator<Buffer[]> {
  const places = new Map<string, CountedPlace & { traces: number }>();
  let [traces, matchedTraces, bytes] = [0, 0, 0];
  for (const id of await newestTraces(reads, workspaceId, maxTraces)) {
    const trace = await getTrace(reads, workspaceId, id, "whole", { slot: CONTINUED });
    if (!trace) continue;
    const chunks: Buffer[] = [];
    for await (const some of trace.chunks()) chunks.push(...some.map((chunk) => Buffer.from(chunk)));
    const json = Buffer.concat(chunks);
    const counted = countMatches(JSON.parse(json.toString()), masking);
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
  const { isTooSlow: _, ...cost } = judgeCost(await measureCost(reads, workspaceId, rules));
  yield line({ kind: "result", traces, matchedTraces, fields, ...cost });
}

const line = (value: MaskingPreviewLine) => [Buffer.from(`${JSON.stringify(value)}\n`)];
