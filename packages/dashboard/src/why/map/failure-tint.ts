import type { MapTimes } from "@whytrace/contract";
import { knownShare } from "./known-share.ts";

/** Classes of failure rates, from rare to frequent; each has a colour. */
export const FAILURE_CLASSES = [
  { label: "under 5", below: 0.05, mix: 0 },
  { label: "5–15", below: 0.15, mix: 35 },
  { label: "15–30", below: 0.3, mix: 60 },
  { label: "30–50", below: 0.5, mix: 80 },
  { label: "over 50 %", below: Number.POSITIVE_INFINITY, mix: 100 },
] as const;

const tint = (mix: number) => `color-mix(in oklab, var(--color-error) ${mix}%, var(--color-control))`;

export const CLASS_TINTS = FAILURE_CLASSES.map(({ mix }) => tint(mix));

/** The colour of the share of failed runs. */
export function failureTint(counts: MapTimes): string {
  const share = knownShare(counts);
  return tint(FAILURE_CLASSES.find(({ below }) => share < below)?.mix ?? 0);
}
