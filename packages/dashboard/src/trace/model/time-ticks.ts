import { formatDuration } from "../../ui/format/format.ts";
import { formatRoundDuration, ROUND_DURATIONS_MS } from "../../ui/format/round-duration.ts";
import type { TimeScale } from "./time-scale.ts";

export interface Tick {
  /** Position in the visible part of the axis, 0 to 1. */
  at: number;
  label: string;
}

/** The visible part of the axis; 0 is its start and 1 its end. */
export interface Zoom {
  from: number;
  to: number;
}
export const FULL_RANGE: Zoom = { from: 0, to: 1 };

const LABEL_WIDTH_PX = 62;

/** A few ticks at round times, far enough apart for their labels. */
export function timeTicks(scale: TimeScale, zoom: Zoom, widthPx: number): Tick[] {
  const minDistance = Math.min(1, LABEL_WIDTH_PX / Math.max(1, widthPx));
  const [startMs, endMs] = [scale.toMs(zoom.from), scale.toMs(zoom.to)];
  const foldedMs = scale.folds.reduce((sum, fold) => sum + fold.endMs - fold.startMs, 0);
  const visibleMs = Math.max(1, endMs - startMs - (zoom === FULL_RANGE ? foldedMs : 0));
  const maxTicks = Math.max(1, Math.min(4.5, 1 / minDistance));
  const stepMs = ROUND_DURATIONS_MS.find((ms) => visibleMs / ms <= maxTicks) ?? visibleMs / maxTicks;
  const ticks: Tick[] = [];
  const firstMs = Math.ceil((startMs - scale.startMs) / stepMs) * stepMs;
  // The label of the end stands before it, those of the others behind them.
  const lastShare = 1 - 2 * minDistance;
  for (let ms = firstMs, tries = 0; ms <= endMs - scale.startMs && tries < 2_000; ms += stepMs, tries++) {
    const share = scale.toShare(scale.startMs + ms);
    if (scale.folds.some((fold) => share > fold.from && share < fold.to)) continue;
    const at = (share - zoom.from) / (zoom.to - zoom.from);
    const previous = ticks.at(-1)?.at ?? -1;
    if (at - previous >= minDistance && at <= lastShare) ticks.push({ at, label: formatRoundDuration(ms) });
  }
  return [...ticks, { at: 1, label: formatDuration(endMs - scale.startMs) }];
}
