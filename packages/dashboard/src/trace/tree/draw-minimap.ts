import { typeColor } from "../../ui/type-color.ts";
import type { TimeScale } from "../model/time-scale.ts";
import type { TraceTree } from "../model/trace-tree.ts";

export const DECISION_LANE_PX = 20;
const MIN_STEP_PX = 5;
const MAX_STEP_PX = 10;
/** Closer decisions are drawn as strokes, because diamonds would overlap. */
const DIAMOND_WIDTH_PX = 9;

/** Draws every span as a line at its depth, and every decision as a diamond in a lane above the spans. */
export function drawMinimap(
  canvas: HTMLCanvasElement,
  tree: TraceTree,
  scale: TimeScale,
  selectedKey: string | null,
) {
  const context = canvas.getContext("2d");
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!context || width === 0) return;
  const ratio = devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  context.scale(ratio, ratio);
  const styles = getComputedStyle(canvas);
  const colors = new Map<string, string>();
  const color = (property: string) => {
    const value = colors.get(property) ?? styles.getPropertyValue(property).trim();
    colors.set(property, value);
    return value;
  };

  context.fillStyle = color("--color-sunken");
  for (const fold of scale.folds)
    context.fillRect(fold.from * width, 0, (fold.to - fold.from) * width, height);

  const depths = new Map<string, number>();
  const spansHeight = height - DECISION_LANE_PX - 10;
  const levels = maxDepth(tree);
  const step = Math.max(MIN_STEP_PX, Math.min(MAX_STEP_PX, spansHeight / levels));
  const rows = Math.max(1, Math.floor(spansHeight / step));
  const barHeight = Math.max(3, step * 0.45);
  // Spans that would cover the same pixel of the same row are drawn only once.
  const drawn = new Set<number>();
  context.globalAlpha = 0.85;
  for (const node of tree.order) {
    if (node.kind !== "span") continue;
    const depth = node.parent ? (depths.get(node.parent.key) ?? 0) + 1 : 0;
    depths.set(node.key, depth);
    const x = scale.toShare(node.startMs) * width;
    const spanWidth = Math.max(1.5, (scale.toShare(node.endMs) - scale.toShare(node.startMs)) * width);
    const row = depth % rows;
    const isError = node.span.status === "ERROR";
    const pixel = (row * 10_000 + Math.round(x)) * 2 + Number(isError);
    if (spanWidth < 2 && drawn.has(pixel)) continue;
    drawn.add(pixel);
    context.fillStyle = color(isError ? "--color-error" : typeColor(node.span.type));
    context.fillRect(x, DECISION_LANE_PX + 7 + row * step, spanWidth, barHeight);
  }

  context.globalAlpha = 1;
  context.fillStyle = color("--color-line");
  context.fillRect(0, DECISION_LANE_PX + 1, width, 1);
  context.lineWidth = 2;
  const isDense = tree.decisions.length * DIAMOND_WIDTH_PX > width;
  for (const decision of tree.decisions) {
    const x = Math.max(6, Math.min(width - 6, scale.toShare(decision.startMs) * width));
    const isSelected = decision.key === selectedKey;
    const radius = isSelected ? 6 : 5;
    const tint = color(typeColor(decision.decision.type));
    if (isDense && !isSelected) {
      context.fillStyle = tint;
      context.fillRect(x - 0.75, 4, 1.5, DECISION_LANE_PX - 8);
      continue;
    }
    context.beginPath();
    context.moveTo(x, DECISION_LANE_PX / 2 - radius);
    context.lineTo(x + radius, DECISION_LANE_PX / 2);
    context.lineTo(x, DECISION_LANE_PX / 2 + radius);
    context.lineTo(x - radius, DECISION_LANE_PX / 2);
    context.closePath();
    context.fillStyle = isSelected ? tint : color("--color-panel");
    context.fill();
    context.strokeStyle = tint;
    context.stroke();
  }
}

function maxDepth(tree: TraceTree): number {
  const depths = new Map<string, number>();
  let levels = 1;
  for (const node of tree.order) {
    const depth = node.parent ? (depths.get(node.parent.key) ?? 0) + 1 : 1;
    depths.set(node.key, depth);
    if (node.kind === "span" && depth > levels) levels = depth;
  }
  return levels;
}
