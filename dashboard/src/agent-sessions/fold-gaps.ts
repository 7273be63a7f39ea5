export interface Run {
  startMs: number;
  endMs: number;
}

export interface PlacedRun {
  startPercent: number;
  widthPercent: number;
  /** The idle time folded away just before it. */
  foldedMs: number | null;
}

const FOLD_SHARE = 0.05;
const MARKER_SHARE = 0.03;
const MARKERS_SHARE = 0.4;

/**
 * Places runs, given in the order they began, on a line where idle gaps longer than a twentieth of the busy time
 * shrink to a marker: a day between two turns would leave nothing else to see.
 */
export function foldGaps(runs: Run[]): PlacedRun[] {
  let busyUntilMs = runs[0]?.startMs ?? 0;
  let busyMs = 0;
  const gapsMs = runs.map(({ startMs, endMs }) => {
    const gapMs = Math.max(0, startMs - busyUntilMs);
    busyMs += Math.max(0, endMs - Math.max(startMs, busyUntilMs));
    busyUntilMs = Math.max(busyUntilMs, endMs);
    return gapMs;
  });
  const isFolded = (gapMs: number) => gapMs > busyMs * FOLD_SHARE;
  const markers = gapsMs.filter(isFolded).length;
  const markerMs = busyMs * Math.min(MARKER_SHARE, MARKERS_SHARE / markers) || 1;
  let cutMs = runs[0]?.startMs ?? 0;
  const placed = runs.map(({ startMs, endMs }, i) => {
    const gapMs = gapsMs[i] ?? 0;
    const foldedMs = isFolded(gapMs) ? gapMs : null;
    if (foldedMs !== null) cutMs += foldedMs - markerMs;
    return { fromMs: startMs - cutMs, toMs: endMs - cutMs, foldedMs };
  });
  const lengthMs = Math.max(1, ...placed.map(({ toMs }) => toMs));
  return placed.map(({ fromMs, toMs, foldedMs }) => ({
    startPercent: (fromMs / lengthMs) * 100,
    widthPercent: ((toMs - fromMs) / lengthMs) * 100,
    foldedMs,
  }));
}
