// biome-ignore-all lint/a11y/useSemanticElements: a virtual list must position its rows, which a table cannot
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid keeps the focus and refers to the active row
import { memo } from "react";
import { formatDuration } from "../../ui/format/format.ts";
import type { ScaleSegment, TimeScale } from "../model/time-scale.ts";
import type { Tick, Zoom } from "../model/time-ticks.ts";

interface AxisProps {
  ticks: Tick[];
}

const isInside = ({ at }: Tick) => at > 0 && at < 1;
const percent = (share: number) => `${share * 100}%`;

/** The waterfall's header: times since the start of the trace. */
export function TimeAxis({ ticks }: AxisProps) {
  return (
    <div role="columnheader" aria-label="Timeline" className="relative mr-4 h-full overflow-hidden">
      {ticks.map(({ at, label }) => (
        <span
          key={at}
          className="absolute top-1/2 -translate-y-1/2 whitespace-nowrap"
          style={at === 1 ? { right: 0 } : { left: percent(at) }}
        >
          {label}
        </span>
      ))}
    </div>
  );
}

/** Drawn behind the bars: a line per tick and a band per folded gap. */
export const TimeBackdrop = memo(function TimeBackdrop({
  ticks,
  scale,
  zoom,
}: AxisProps & { scale: TimeScale; zoom: Zoom }) {
  return (
    <div aria-hidden="true" className="tree-columns absolute inset-0">
      <div />
      <div className="tree-metrics" />
      <div className="relative mr-4 h-full overflow-hidden">
        {ticks.filter(isInside).map(({ at }) => (
          <span key={at} className="absolute inset-y-0 w-px bg-line/60" style={{ left: percent(at) }} />
        ))}
        {scale.folds.map((fold) => (
          <FoldBand key={fold.startMs} fold={fold} zoom={zoom} />
        ))}
      </div>
    </div>
  );
});

function FoldBand({ fold, zoom }: { fold: ScaleSegment; zoom: Zoom }) {
  const width = zoom.to - zoom.from;
  return (
    <span
      title={`Idle for ${formatDuration(fold.endMs - fold.startMs)}`}
      className="absolute inset-y-0 border-x border-dashed border-control/60 bg-sunken"
      style={{
        left: percent((fold.from - zoom.from) / width),
        width: percent((fold.to - fold.from) / width),
      }}
    />
  );
}
