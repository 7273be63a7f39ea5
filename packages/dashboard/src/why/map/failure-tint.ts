import type { MapEdge, MapNode } from "@whytrace/contract";
import { type IntervalTone, intervalTone } from "../../ui/intervals/interval-tone.ts";
import { failedShare } from "./failed-share.ts";

export const TONE_TINTS: Readonly<Record<IntervalTone, string>> = {
  worse: "var(--color-error)",
  better: "var(--color-completed)",
  unclear: "var(--color-control)",
};

/** The colour of a choice or path: grey unless its runs are bad more or less often than `all` runs of the map. */
export const failureTint = (counts: MapNode | MapEdge, all: number): string =>
  TONE_TINTS[intervalTone(failedShare(counts), all)];
