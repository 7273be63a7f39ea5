import { typeColor } from "../../ui/type-color.ts";
import type { TimeScale } from "../model/time-scale.ts";
import type { TraceTree } from "../model/trace-tree.ts";

const LANE = 20;
const STEP_MIN = 5;
const STEP_MAX = 10;
/** Diamonds that would touch become strokes. */
const DIAMOND_ROOM = 9;

/** Every span as a line at its depth, every decision as a diamond in a lane of its own above them. */
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
    const known = colors.get(property) ?? styles.getPropertyValue(property).trim();
    colors.set(property, known);
    return known;
  };

  context.fillStyle = color("--color-sunken");
  for (const fold of scale.folds)
    context.fillRect(fold.from * width, 0, (fold.to - fold.from) * width, height);

  const depths = new Map<string, number>();
  const room = height - LANE - 10;
  const levels = levelsOf(tree);
  const step = Math.max(STEP_MIN, Math.min(STEP_MAX, room / levels));
  const rows = Math.max(1, Math.floor(room / step));
  const bar = Math.max(3, step * 0.45);
  // One line a pixel and row is all that can be seen: what would land on it again is left out.
  const taken = new Set<number>();
  context.globalAlpha = 0.85;
  for (const node of tree.order) {
    if (node.kind !== "span") continue;
    const depth = node.parent ? (depths.get(node.parent.key) ?? 0) + 1 : 0;
    depths.set(node.key, depth);
    const x = scale.toShare(node.startMs) * width;
    const wide = Math.max(1.5, (scale.toShare(node.endMs) - scale.toShare(node.startMs)) * width);
    const row = depth % rows;
    const isError = node.span.status === "ERROR";
    const spot = (row * 10_000 + Math.round(x)) * 2 + Number(isError);
    if (wide < 2 && taken.has(spot)) continue;
    taken.add(spot);
    context.fillStyle = color(isError ? "--color-error" : typeColor(node.span.type));
    context.fillRect(x, LANE + 7 + row * step, wide, bar);
  }

  context.globalAlpha = 1;
  context.fillStyle = color("--color-line");
  context.fillRect(0, LANE + 1, width, 1);
  context.lineWidth = 2;
  const isDense = tree.decisions.length * DIAMOND_ROOM > width;
  for (const decision of tree.decisions) {
    const x = Math.max(6, Math.min(width - 6, scale.toShare(decision.startMs) * width));
    const isSelected = decision.key === selectedKey;
    const reach = isSelected ? 6 : 5;
    const tint = color(typeColor(decision.decision.type));
    if (isDense && !isSelected) {
      context.fillStyle = tint;
      context.fillRect(x - 0.75, 4, 1.5, LANE - 8);
      continue;
    }
    context.beginPath();
    context.moveTo(x, LANE / 2 - reach);
    context.lineTo(x + reach, LANE / 2);
    context.lineTo(x, LANE / 2 + reach);
    context.lineTo(x - reach, LANE / 2);
    context.closePath();
    context.fillStyle = isSelected ? tint : color("--color-panel");
    context.fill();
    context.strokeStyle = tint;
    context.stroke();
  }
}

function levelsOf(tree: TraceTree): number {
  const depths = new Map<string, number>();
  let levels = 1;
  for (const node of tree.order) {
    const depth = node.parent ? (depths.get(node.parent.key) ?? 0) + 1 : 1;
    depths.set(node.key, depth);
    if (node.kind === "span" && depth > levels) levels = depth;
  }
  return levels;
}
