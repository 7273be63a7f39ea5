export interface TimeInterval {
  startMs: number;
  endMs: number;
}

export interface PositionedInterval {
  startPercent: number;
  widthPercent: number;
  /** The length of the folded gap just before the interval. */
  foldedMs: number | null;
}

const MIN_FOLD_SHARE = 0.05;
const MAX_MARKER_SHARE = 0.03;
const MAX_ALL_MARKERS_SHARE = 0.4;

/**
 * Positions intervals, sorted by start, on a timeline. Idle gaps longer than 5% of the busy time are folded to a narrow
 * marker; otherwise a day between two turns would make the turns invisible.
 */
export function foldGaps(intervals: TimeInterval[]): PositionedInterval[] {
  let busyUntilMs = intervals[0]?.startMs ?? 0;
  let busyMs = 0;
  const gapsMs = intervals.map(({ startMs, endMs }) => {
    const gapMs = Math.max(0, startMs - busyUntilMs);
    busyMs += Math.max(0, endMs - Math.max(startMs, busyUntilMs));
    busyUntilMs = Math.max(busyUntilMs, endMs);
    return gapMs;
  });
  const isFolded = (gapMs: number) => gapMs > busyMs * MIN_FOLD_SHARE;
  const markerCount = gapsMs.filter(isFolded).length;
  const markerMs = busyMs * Math.min(MAX_MARKER_SHARE, MAX_ALL_MARKERS_SHARE / markerCount) || 1;
  let removedMs = intervals[0]?.startMs ?? 0;
  const positioned = intervals.map(({ startMs, endMs }, i) => {
    const gapMs = gapsMs[i] ?? 0;
    const foldedMs = isFolded(gapMs) ? gapMs : null;
    if (foldedMs !== null) removedMs += foldedMs - markerMs;
    return { fromMs: startMs - removedMs, toMs: endMs - removedMs, foldedMs };
  });
  const lengthMs = Math.max(1, ...positioned.map(({ toMs }) => toMs));
  return positioned.map(({ fromMs, toMs, foldedMs }) => ({
    startPercent: (fromMs / lengthMs) * 100,
    widthPercent: ((toMs - fromMs) / lengthMs) * 100,
    foldedMs,
  }));
}
