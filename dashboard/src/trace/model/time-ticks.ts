import { formatDuration } from "../../ui/format.ts";
import type { TimeScale } from "./time-scale.ts";

export interface Tick {
  /** Where in the shown part of the axis, 0 to 1. */
  at: number;
  label: string;
}

/** The part of the axis that is shown, as shares of it. */
export interface Zoom {
  from: number;
  to: number;
}
export const FULL_RANGE: Zoom = { from: 0, to: 1 };

const STEPS = [1, 2, 3, 5, 10, 15, 20, 30, 50, 100, 200, 300, 500];
const NICE_MS = [
  ...STEPS,
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((s) => s * 1_000),
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((min) => min * 60_000),
  ...[1, 2, 3, 6, 12, 24, 48, 72, 168, 336, 672].map((h) => h * 3_600_000),
];
const LABEL_PX = 62;

/** Round instants, a handful of them, far enough apart to be read. */
export function timeTicks(scale: TimeScale, zoom: Zoom, widthPx: number): Tick[] {
  const apart = Math.min(1, LABEL_PX / Math.max(1, widthPx));
  const [startMs, endMs] = [scale.toMs(zoom.from), scale.toMs(zoom.to)];
  const foldedMs = scale.folds.reduce((sum, fold) => sum + fold.endMs - fold.startMs, 0);
  const spanMs = Math.max(1, endMs - startMs - (zoom === FULL_RANGE ? foldedMs : 0));
  const most = Math.max(1, Math.min(4.5, 1 / apart));
  const stepMs = NICE_MS.find((ms) => spanMs / ms <= most) ?? spanMs / most;
  const ticks: Tick[] = [];
  const firstMs = Math.ceil((startMs - scale.startMs) / stepMs) * stepMs;
  const lastShare = 1 - apart;
  for (let ms = firstMs, tries = 0; ms <= endMs - scale.startMs && tries < 2_000; ms += stepMs, tries++) {
    const share = scale.toShare(scale.startMs + ms);
    if (scale.folds.some((fold) => share > fold.from && share < fold.to)) continue;
    const at = (share - zoom.from) / (zoom.to - zoom.from);
    const before = ticks.at(-1)?.at ?? -1;
    if (at - before >= apart && at <= lastShare) ticks.push({ at, label: tickLabel(ms) });
  }
  return [...ticks, { at: 1, label: formatDuration(endMs - scale.startMs) }];
}

const tickLabel = (ms: number) =>
  ms === 0 ? "0" : ms < 60_000 && ms % 1_000 === 0 ? `${ms / 1_000} s` : formatDuration(ms);
