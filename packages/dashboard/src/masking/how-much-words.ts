import type { MaskingJob } from "@whytrace/contract/schemas/masking/settings";

/** How many traces are masked in a second: assumed, until a job has shown it. */
const TRACES_PER_SECOND = 50;
/** Fewer say little about how fast others will be. */
const MIN_DONE = 100;

const UNITS = [
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** How many traces rules would be applied to, and about how long that takes: as long as the last time, if there was one. */
export function howMuchWords(traceCount: number, job: MaskingJob | null): string {
  const seconds = traceCount / (rateOf(job) ?? TRACES_PER_SECOND);
  const [unit, length] = UNITS.find(([, unitSeconds]) => seconds >= unitSeconds) ?? UNITS[2];
  const count = Math.max(1, Math.round(seconds / length));
  const traces = `${traceCount.toLocaleString("en")} ${traceCount === 1 ? "trace" : "traces"}`;
  return `${traces}: about ${count.toLocaleString("en")} ${unit}${count === 1 ? "" : "s"}. Traces are read and stored as usual meanwhile.`;
}

function rateOf(job: MaskingJob | null): number | undefined {
  if (!job?.endedAt || job.done < MIN_DONE) return undefined;
  return (job.done * 1_000) / Math.max(1, Date.parse(job.endedAt) - Date.parse(job.startedAt));
}
