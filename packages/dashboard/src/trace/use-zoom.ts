import { useCallback, useMemo, useState } from "react";
import type { TimeScale } from "./model/time-scale.ts";
import { FULL_RANGE, type Zoom } from "./model/time-ticks.ts";

const MIN_WIDTH = 0.001;

/** The zoomed part of the axis. It is kept as times, so that it stays the same while a trace grows or gaps fold. */
export function useZoom(scale: TimeScale): [zoom: Zoom, setZoom: (zoom: Zoom) => void] {
  const [range, setRange] = useState<{ fromMs: number; toMs: number } | null>(null);
  const zoom = useMemo(() => {
    if (!range) return FULL_RANGE;
    const from = Math.min(scale.toShare(range.fromMs), 1 - MIN_WIDTH);
    return { from, to: Math.max(scale.toShare(range.toMs), from + MIN_WIDTH) };
  }, [range, scale]);
  const setZoom = useCallback(
    (next: Zoom) =>
      setRange(next === FULL_RANGE ? null : { fromMs: scale.toMs(next.from), toMs: scale.toMs(next.to) }),
    [scale],
  );
  return [zoom, setZoom];
}
