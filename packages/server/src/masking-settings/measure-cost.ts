import type { MaskingRule, PatternCost } from "@whytrace/contract/schemas/masking/settings";
import { FairPool } from "../concurrency/fair-pool.ts";
import { runInTimeSlices } from "../concurrency/run-in-time-slices.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { compileRulesInTimeSlices } from "../masking/compile-rules.ts";
import { MAX_PATTERN_MS_HERE } from "../masking/maskings.ts";
import { newestRecords } from "./newest-records.ts";
import { PatternMeasurement } from "./pattern-measurement.ts";

/** Together. */
const MAX_MS_PER_MIB = 200;
/** On a text that is mostly our own, only what is far too slow is refused: the workspace's texts may be easier. */
const MAX_MS_PER_MIB_OF_SAMPLE = 500;
const SLOW_MS_PER_MIB = 50;
const REMEDY = "Add a fixed word to them, or a source.";
/** For the API reference. */
export const TOO_SLOW = `The patterns are too slow: <ms> ms per MiB (at most ${MAX_MS_PER_MIB}). ${REMEDY}`;

const MAX_TRACES = 100;

/** One measurement at a time: two that run at once would measure each other. */
const turns = new FairPool({ maxRunning: 1, maxRunningPerCaller: 1, maxWaitingPerCaller: 2 });

export const isOwnPattern = ({ type, method, isEnabled = true }: MaskingRule) =>
  type === "pattern" && method !== "keep" && isEnabled;

interface MeasuredCost {
  costMsPerMiB: number;
  /** Whether the workspace has stored too little to measure with. */
  isSample: boolean;
}

export const NO_COST: MeasuredCost = { costMsPerMiB: 0, isSample: false };

/** What is to be said about the cost of patterns, and whether they are too slow to be saved. */
export function judgeCost({ costMsPerMiB, isSample }: MeasuredCost): PatternCost & { isTooSlow: boolean } {
  const ms = String(Math.round(costMsPerMiB));
  const isTooSlow = costMsPerMiB > (isSample ? MAX_MS_PER_MIB_OF_SAMPLE : MAX_MS_PER_MIB);
  const slow = `The patterns are slow: ${ms} ms per MiB. Storing takes longer with them. ${REMEDY}`;
  const warning = isTooSlow ? TOO_SLOW.replace("<ms>", ms) : slow;
  return { costMsPerMiB, ...(costMsPerMiB > SLOW_MS_PER_MIB && { warning }), isTooSlow };
}

/** What the patterns of these rules cost on the newest stored traces, in milliseconds for 1 MiB. */
export async function measureCost(
  reads: FairDatabase,
  workspaceId: WorkspaceId,
  rules: readonly MaskingRule[],
): Promise<MeasuredCost> {
  if (!rules.some(isOwnPattern)) return NO_COST;
  return turns.run(workspaceId, async () => {
    const masking = await compileRulesInTimeSlices({
      version: 0,
      level: "off",
      floor: "off",
      rules,
      key: new Uint8Array(),
      maxPatternMsPerText: MAX_PATTERN_MS_HERE,
    });
    const measurement = new PatternMeasurement(masking);
    for await (const record of newestRecords(reads, workspaceId, MAX_TRACES)) {
      await runInTimeSlices(measurement.add(record));
      if (measurement.isFull) break;
    }
    const isSample = !measurement.isFull;
    return { costMsPerMiB: await runInTimeSlices(measurement.run()), isSample };
  });
}
