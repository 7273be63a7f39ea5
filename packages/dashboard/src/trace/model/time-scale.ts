import type { TraceTree } from "./trace-tree.ts";

/** A segment of the axis: a time range, and the positions between 0 and 1 where it is drawn. */
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

const MIN_FOLD_SHARE = 0.05;
const MAX_FOLD_WIDTH = 0.03;

/** Maps time to positions on the axis. Idle gaps of more than 5% of the trace are folded to a narrow width. */
export function timeScale(tree: TraceTree, isFolding = true): TimeScale {
  const { startMs } = tree;
  const endMs = Math.max(tree.endMs, startMs + 1);
  const gaps = isFolding ? idleGaps(tree, (endMs - startMs) * MIN_FOLD_SHARE) : [];
  // All folds together take at most 30% of the axis.
  const foldWidth = Math.min(MAX_FOLD_WIDTH, 0.3 / Math.max(1, gaps.length));
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
    folds: segments.filter((segment) => segment.isFold),
    toShare: (ms) => {
      if (ms <= startMs) return 0;
      const segment = segments.find((candidate) => ms <= candidate.endMs);
      if (!segment) return 1;
      const { from, to } = segment;
      return from + ((ms - segment.startMs) / (segment.endMs - segment.startMs)) * (to - from);
    },
    toMs: (share) => {
      const segment = segments.find((candidate) => share <= candidate.to) ?? segments.at(-1);
      if (!segment) return startMs;
      const within = (share - segment.from) / (segment.to - segment.from);
      return segment.startMs + Math.max(0, Math.min(1, within)) * (segment.endMs - segment.startMs);
    },
  };
}

/** Time ranges in which no leaf span runs and nothing starts, ends or is decided. A parent span may be open. */
function idleGaps(tree: TraceTree, minMs: number): { startMs: number; endMs: number }[] {
  const busy = tree.order
    .flatMap((node): { startMs: number; endMs: number }[] => {
      const { startMs } = node;
      const start = { startMs, endMs: startMs };
      if (node.kind === "decision") return [start];
      const { endMs } = node;
      if (!node.children.some((child) => child.kind === "span")) return [{ startMs, endMs }];
      // A parent span that ends with the trace is not an activity at that time.
      return endMs < tree.endMs ? [start, { startMs: endMs, endMs }] : [start];
    })
    .sort((a, b) => a.startMs - b.startMs);
  const gaps: { startMs: number; endMs: number }[] = [];
  let cursorMs = tree.startMs;
  for (const { startMs, endMs } of busy) {
    if (startMs - cursorMs > minMs) gaps.push({ startMs: cursorMs, endMs: startMs });
    cursorMs = Math.max(cursorMs, endMs);
  }
  if (busy.length > 0 && tree.endMs - cursorMs > minMs) gaps.push({ startMs: cursorMs, endMs: tree.endMs });
  return gaps;
}
