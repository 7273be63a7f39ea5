import type { MaskingPreviewLine, MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import { runInTimeSlices } from "../concurrency/run-in-time-slices.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { CompiledMasking } from "../masking/compiled-masking.ts";
import { countMatches } from "./count-matches.ts";
import type { CountedPlace } from "./counted-place.ts";
import { judgeCost, measureCost } from "./measure-cost.ts";
import { newestRecords } from "./newest-records.ts";
import { RepeatedTexts } from "./repeated-texts.ts";

const TRACES_PER_PROGRESS = 25;
/** A preview of long traces ends earlier, and so does one with slow patterns. */
const MAX_BYTES = 320 * 1024 * 1024;
const MAX_MS = 20_000;
/** Keys of objects may be different ones everywhere. */
const MAX_PLACES = 1_000;
const OTHER_PLACES = "other places";

interface PreviewedMasking {
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
  // Measuring patterns and reading long traces take a while.
  yield line({ kind: "progress", traces: 0 });
  const { isTooSlow, ...cost } = judgeCost(await measureCost(reads, workspaceId, rules));
  if (isTooSlow) {
    yield line({ kind: "result", traces: 0, matchedTraces: 0, leftOut: 0, fields: [], ...cost });
    return;
  }
  const startedAt = performance.now();
  const places = new Map<string, CountedPlace & { inTraces: Set<number> }>();
  const matched = new Set<number>();
  const texts = new RepeatedTexts();
  let [traces, leftOut, bytes, lastId] = [0, 0, 0, ""];
  for await (const record of newestRecords(reads, workspaceId, maxTraces)) {
    if (record.traceId !== lastId) {
      lastId = record.traceId;
      if (traces > 0 && traces % TRACES_PER_PROGRESS === 0) yield line({ kind: "progress", traces });
      traces += 1;
    }
    if (bytes > MAX_BYTES || performance.now() - startedAt > MAX_MS) break;
    bytes += record.bytes;
    if (record.value === undefined) leftOut += 1;
    for (const counted of await runInTimeSlices(countMatches(record, masking, texts))) {
      matched.add(traces);
      const known = placeOf(counted, places);
      known.count += counted.count;
      known.inTraces.add(traces);
    }
  }
  const fields = [...places.values()]
    .sort((a, b) => b.count - a.count)
    .map(({ inTraces, ...place }) => ({ ...place, traces: inTraces.size }));
  yield line({ kind: "result", traces, matchedTraces: matched.size, leftOut, fields, ...cost });
}

/** The place with this type and rule among those that were found before, or a new one. */
function placeOf(
  { place, type, rule }: CountedPlace,
  places: Map<string, CountedPlace & { inTraces: Set<number> }>,
) {
  const idOf = (shown: string) => JSON.stringify([shown, type, rule]);
  const shown = places.has(idOf(place)) || places.size < MAX_PLACES ? place : OTHER_PLACES;
  const known = places.get(idOf(shown)) ?? {
    place: shown,
    type,
    rule,
    count: 0,
    inTraces: new Set<number>(),
  };
  places.set(idOf(shown), known);
  return known;
}

const line = (value: MaskingPreviewLine) => [Buffer.from(`${JSON.stringify(value)}\n`)];
