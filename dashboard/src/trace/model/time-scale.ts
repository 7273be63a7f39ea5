import type { TraceTree } from "./trace-tree.ts";

/** A stretch of the axis: where it lies in time, and where between 0 and 1 it is drawn. */
export interface ScaleSegment {
  startMs: number;
  endMs: number;
  from: number;
  to: number;
  isFold: boolean;
}

export interface TimeScale {
  startMs: number;
  endMs: number;
  segments: ScaleSegment[];
  folds: ScaleSegment[];
  toShare(ms: number): number;
  toMs(share: number): number;
}

const FOLD_OVER = 0.05;
const FOLD_WIDTH = 0.03;

/** Time as a line on which segments where nothing worked, over a twentieth of the run each, are folded. */
export function timeScale(tree: TraceTree, isFolding = true): TimeScale {
  const { startMs } = tree;
  const endMs = Math.max(tree.endMs, startMs + 1);
  const gaps = isFolding ? idleGaps(tree, (endMs - startMs) * FOLD_OVER) : [];
  // However many folds there are, most of the line is for work.
  const foldWidth = Math.min(FOLD_WIDTH, 0.3 / Math.max(1, gaps.length));
  const idleMs = gaps.reduce((sum, gap) => sum + gap.endMs - gap.startMs, 0);
  const perMs = (1 - foldWidth * gaps.length) / Math.max(1, endMs - startMs - idleMs);
  const segments: ScaleSegment[] = [];
  const add = (fromMs: number, toMs: number, isFold: boolean) => {
    if (toMs <= fromMs) return;
    const from = segments.at(-1)?.to ?? 0;
    const to = from + (isFold ? foldWidth : (toMs - fromMs) * perMs);
    segments.push({ startMs: fromMs, endMs: toMs, from, to, isFold });
  };
  let cursorMs = startMs;
  for (const gap of gaps) {
    add(cursorMs, gap.startMs, false);
    add(gap.startMs, gap.endMs, true);
    cursorMs = gap.endMs;
  }
  add(cursorMs, endMs, false);
  return {
    startMs,
    endMs,
    segments,
    folds: segments.filter((stretch) => stretch.isFold),
    toShare: (ms) => {
      if (ms <= startMs) return 0;
      const stretch = segments.find((one) => ms <= one.endMs);
      if (!stretch) return 1;
      const { from, to } = stretch;
      return from + ((ms - stretch.startMs) / (stretch.endMs - stretch.startMs)) * (to - from);
    },
    toMs: (share) => {
      const stretch = segments.find((one) => share <= one.to) ?? segments.at(-1);
      if (!stretch) return startMs;
      const within = (share - stretch.from) / (stretch.to - stretch.from);
      return stretch.startMs + Math.max(0, Math.min(1, within)) * (stretch.endMs - stretch.startMs);
    },
  };
}

/** Where no innermost span works and nothing begins, ends or is decided: a span around it all may well be open. */
function idleGaps(tree: TraceTree, overMs: number): { startMs: number; endMs: number }[] {
  const busy = tree.order
    .flatMap((node): { startMs: number; endMs: number }[] => {
      const { startMs } = node;
      const begins = { startMs, endMs: startMs };
      if (node.kind === "decision") return [begins];
      const { endMs } = node;
      if (!node.children.some((child) => child.kind === "span")) return [{ startMs, endMs }];
      // That a span around it all ends with the run is no activity at that moment.
      return endMs < tree.endMs ? [begins, { startMs: endMs, endMs }] : [begins];
    })
    .sort((a, b) => a.startMs - b.startMs);
  const gaps: { startMs: number; endMs: number }[] = [];
  let cursorMs = tree.startMs;
  for (const { startMs, endMs } of busy) {
    if (startMs - cursorMs > overMs) gaps.push({ startMs: cursorMs, endMs: startMs });
    cursorMs = Math.max(cursorMs, endMs);
  }
  if (busy.length > 0 && tree.endMs - cursorMs > overMs) gaps.push({ startMs: cursorMs, endMs: tree.endMs });
  return gaps;
}
