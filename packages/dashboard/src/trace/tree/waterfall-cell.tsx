// biome-ignore-all lint/a11y/useSemanticElements: a virtual list must position its rows, which a table cannot
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid keeps the focus and refers to the active row
import { formatDuration } from "../../ui/format/format.ts";
import type { CriticalSegment } from "../model/critical-path.ts";
import type { TimeScale } from "../model/time-scale.ts";
import type { Zoom } from "../model/time-ticks.ts";
import type { TreeItem } from "../model/trace-tree.ts";

interface WaterfallCellProps {
  item: TreeItem;
  isSelected: boolean;
  criticalSegment: CriticalSegment | undefined;
  scale: TimeScale;
  zoom: Zoom;
}

const percent = (share: number) => `${share * 100}%`;
const MAX_LABEL_START = 0.8;

/** A span's bar or a decision's diamond on the time axis. */
export function WaterfallCell({ item, isSelected, criticalSegment, scale, zoom }: WaterfallCellProps) {
  const at = (ms: number) => (scale.toShare(ms) - zoom.from) / (zoom.to - zoom.from);
  const from = at(item.startMs);
  if (item.kind === "decision")
    return (
      <div role="gridcell" className="relative mr-4 h-full overflow-hidden">
        <span className="sr-only">at {formatDuration(item.startMs - scale.startMs)}</span>
        <span
          aria-hidden="true"
          className={`absolute top-1/2 -mt-1 size-2 -translate-x-1/2 rotate-45 rounded-[1px] border-2 border-[var(--tint)] ${isSelected ? "bg-[var(--tint)]" : "bg-bg"}`}
          style={{ left: `clamp(5px, ${percent(from)}, calc(100% - 5px))` }}
        />
      </div>
    );
  const to = at(item.endMs);
  const isError = item.kind === "span" && item.span.status === "ERROR";
  const isUnfinished = item.kind === "span" && item.isUnfinished;
  const durationMs = item.kind === "group" ? item.endMs - item.startMs : item.durationMs;
  const position = labelPosition(from, to);
  return (
    <div role="gridcell" className="relative mr-4 h-full overflow-hidden">
      <span
        aria-hidden="true"
        className={`absolute top-1/2 -mt-[5px] h-2.5 min-w-0.5 rounded-[2.5px] ${isError ? "waterfall-error" : "bg-[color-mix(in_oklab,var(--tint)_72%,var(--color-bg))]"} ${isUnfinished ? "rounded-r-none border-r-2 border-dashed border-running" : ""} ${item.kind === "group" ? "opacity-70" : ""}`}
        style={{ left: `min(${percent(from)}, calc(100% - 2px))`, width: percent(to - from) }}
      />
      {criticalSegment && (
        <span
          aria-hidden="true"
          className="absolute top-1/2 mt-[5px] h-0.5 min-w-0.5 bg-text"
          style={{
            left: percent(at(criticalSegment.fromMs)),
            width: percent(at(criticalSegment.toMs) - at(criticalSegment.fromMs)),
          }}
        />
      )}
      <span
        className={`whitespace-nowrap text-xs text-muted ${position ? "absolute top-1/2 -translate-y-1/2" : "sr-only"}`}
        style={position}
      >
        {formatDuration(durationMs)}
      </span>
    </div>
  );
}

/** After the bar if there is room, else before it, else hidden. */
function labelPosition(from: number, to: number) {
  if (to < 0 || from > 1) return undefined;
  if (to <= MAX_LABEL_START) return { left: `calc(${percent(to)} + 5px)` };
  return from >= 1 - MAX_LABEL_START ? { right: `calc(${percent(1 - from)} + 5px)` } : undefined;
}
