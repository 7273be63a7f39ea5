import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { formatDuration } from "../../ui/format/format.ts";
import { RankBadge } from "../../ui/rank-badge.tsx";
import type { TimeScale } from "../model/time-scale.ts";
import { FULL_RANGE, type Zoom } from "../model/time-ticks.ts";
import type { DecisionNode, TraceTree } from "../model/trace-tree.ts";
import { DECISION_LANE_PX, drawMinimap } from "./draw-minimap.ts";

interface MinimapProps {
  tree: TraceTree;
  scale: TimeScale;
  zoom: Zoom;
  /** The key of the selected decision, if any. */
  decisionKey: string | null;
  /** Decisions that may explain what went wrong, the likeliest one first. An option that was left out has none. */
  suspects: readonly { rank: number; node: DecisionNode | undefined }[];
  onZoom: (zoom: Zoom) => void;
  onDecision: (decision: DecisionNode) => void;
}

/** A shorter drag counts as a click. */
const MIN_DRAG_SHARE = 0.004;
const KEY_STEP = 0.02;
const HIT_RADIUS_PX = 9;

/** An overview of the whole trace. Dragging zooms the waterfall to the selected time range. */
export function Minimap({ tree, scale, zoom, decisionKey, suspects, onZoom, onDecision }: MinimapProps) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drag, setDrag] = useState<{ start: number; now: number } | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let frameRequest = 0;
    const draw = () => {
      cancelAnimationFrame(frameRequest);
      frameRequest = requestAnimationFrame(() => {
        if (canvas.current) drawMinimap(canvas.current, tree, scale, decisionKey);
      });
    };
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    const themeObserver = new MutationObserver(draw);
    themeObserver.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    draw();
    return () => {
      cancelAnimationFrame(frameRequest);
      observer.disconnect();
      themeObserver.disconnect();
    };
  }, [tree, scale, decisionKey]);

  const shareAt = (clientX: number) => {
    const box = frame.current?.getBoundingClientRect();
    return box ? Math.max(0, Math.min(1, (clientX - box.left) / box.width)) : 0;
  };
  const decisionAt = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect();
    if (!box || event.clientY - box.top > DECISION_LANE_PX + 4) return undefined;
    const x = event.clientX - box.left;
    const distancePx = (decision: DecisionNode) => Math.abs(scale.toShare(decision.startMs) * box.width - x);
    return tree.decisions
      .filter((decision) => distancePx(decision) <= HIT_RADIUS_PX)
      .sort((a, b) => distancePx(a) - distancePx(b))[0];
  };
  const onUp = (event: PointerEvent) => {
    if (!drag) return;
    setDrag(null);
    const [from, to] = [Math.min(drag.start, drag.now), Math.max(drag.start, drag.now)];
    if (to - from >= MIN_DRAG_SHARE) return onZoom({ from, to });
    const decision = decisionAt(event);
    if (decision) onDecision(decision);
  };
  const visible = drag ? { from: Math.min(drag.start, drag.now), to: Math.max(drag.start, drag.now) } : zoom;
  const isZoomed = drag !== null || zoom !== FULL_RANGE;
  return (
    <div className="relative h-[74px] shrink-0 border-y border-line bg-panel px-4">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the sliders inside offer the same by keyboard */}
      <div
        ref={frame}
        className="relative h-full cursor-crosshair touch-pan-y select-none"
        onPointerDown={(event) => {
          if (event.button !== 0 || (event.target as HTMLElement).role === "slider") return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const start = shareAt(event.clientX);
          setDrag({ start, now: start });
        }}
        onPointerMove={(event) => drag && setDrag({ ...drag, now: shareAt(event.clientX) })}
        onPointerUp={onUp}
        onPointerCancel={() => setDrag(null)}
        onDoubleClick={() => onZoom(FULL_RANGE)}
      >
        <canvas
          ref={canvas}
          role="img"
          aria-label={`Minimap: ${tree.spans.length.toLocaleString("en")} spans, ${tree.decisions.length.toLocaleString("en")} decisions`}
          className="absolute inset-0 size-full"
        />
        {suspects.map(
          ({ rank, node }) =>
            node && (
              <span
                key={rank}
                data-suspect={rank}
                className="pointer-events-none absolute top-px grid -translate-x-1/2"
                style={{
                  left: `clamp(9px, ${scale.toShare(node.startMs) * 100}%, calc(100% - 9px))`,
                  zIndex: suspects.length - rank + 1,
                }}
              >
                <RankBadge>{rank}</RankBadge>
              </span>
            ),
        )}
        {isZoomed && (
          <div
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 bg-[color-mix(in_oklab,var(--color-accent)_9%,transparent)]"
            style={{ left: `${visible.from * 100}%`, width: `${(visible.to - visible.from) * 100}%` }}
          />
        )}
        <Handle
          label="Zoom start"
          edge="from"
          zoom={visible}
          scale={scale}
          onZoom={onZoom}
          shareAt={shareAt}
        />
        <Handle label="Zoom end" edge="to" zoom={visible} scale={scale} onZoom={onZoom} shareAt={shareAt} />
      </div>
    </div>
  );
}

interface HandleProps {
  label: string;
  edge: "from" | "to";
  zoom: Zoom;
  scale: TimeScale;
  onZoom: (zoom: Zoom) => void;
  shareAt: (clientX: number) => number;
}

function Handle({ label, edge, zoom, scale, onZoom, shareAt }: HandleProps) {
  const at = zoom[edge];
  const moveTo = (share: number) => {
    const next =
      edge === "from"
        ? { from: Math.max(0, Math.min(share, zoom.to - 0.001)), to: zoom.to }
        : { from: zoom.from, to: Math.min(1, Math.max(share, zoom.from + 0.001)) };
    onZoom(next.from <= 0 && next.to >= 1 ? FULL_RANGE : next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowLeft: at - KEY_STEP,
      ArrowRight: at + KEY_STEP,
      Home: edge === "from" ? 0 : zoom.from,
      End: edge === "to" ? 1 : zoom.to,
    };
    const next = moves[event.key];
    if (event.key === "Escape") onZoom(FULL_RANGE);
    if (next === undefined) return;
    event.preventDefault();
    moveTo(next);
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(at * 100)}
      aria-valuetext={formatDuration(scale.toMs(at) - scale.startMs)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) =>
        event.currentTarget.hasPointerCapture(event.pointerId) && moveTo(shareAt(event.clientX))
      }
      className="absolute inset-y-0 w-2.5 -translate-x-1/2 cursor-ew-resize touch-none before:absolute before:inset-y-0 before:left-1/2 before:w-px before:bg-accent/60 hover:before:w-0.5"
      style={{ left: `${at * 100}%` }}
    />
  );
}
