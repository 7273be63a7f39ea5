import type { SpanNode, TreeNode } from "./trace-tree.ts";

export interface CriticalSegment {
  /** When the trace waited for this span or its descendants. */
  fromMs: number;
  toMs: number;
  /** The part of that time in which no child was on the critical path. */
  selfMs: number;
}

interface SpanSegment extends CriticalSegment {
  node: SpanNode;
}

/**
 * Finds the chain of spans that determines when the trace ends. It goes backwards: from a span's end to the child that
 * finished last, from that child's start to the last child that finished before it, and so on to the span's start.
 * Time that a child spends outside its parent does not count.
 */
export function criticalPath(roots: TreeNode[]): Map<SpanNode, CriticalSegment> {
  const path = new Map<SpanNode, CriticalSegment>();
  const rootSpans = spansOf(roots);
  const endMs = rootSpans.reduce((ms, node) => Math.max(ms, node.endMs), Number.NEGATIVE_INFINITY);
  const stack = chainBefore(rootSpans, Number.NEGATIVE_INFINITY, endMs);
  for (let segment = stack.pop(); segment; segment = stack.pop()) {
    const { node, fromMs, toMs } = segment;
    const chain = chainBefore(spansOf(node.children), fromMs, toMs);
    const childrenMs = chain.reduce((sum, child) => sum + child.toMs - child.fromMs, 0);
    path.set(node, { fromMs, toMs, selfMs: toMs - fromMs - childrenMs });
    stack.push(...chain);
  }
  return path;
}

const spansOf = (nodes: TreeNode[]) => nodes.filter((node) => node.kind === "span");

/** The spans that lead up to `toMs`, last one first; each ended before the next one started. */
function chainBefore(spans: SpanNode[], fromMs: number, toMs: number): SpanSegment[] {
  const candidates = spans
    .map((node) => ({
      node,
      fromMs: Math.max(fromMs, node.startMs),
      toMs: Math.min(toMs, node.endMs),
      selfMs: 0,
    }))
    .filter(
      (segment) =>
        segment.node.endMs >= fromMs && segment.node.startMs <= toMs && segment.fromMs <= segment.toMs,
    )
    // If two spans end at the same time, the longer one is critical.
    .sort((a, b) => b.toMs - a.toMs || a.fromMs - b.fromMs);
  const chain: SpanSegment[] = [];
  let cursorMs = toMs;
  for (const segment of candidates) {
    if (segment.toMs > cursorMs) continue;
    chain.push(segment);
    cursorMs = segment.fromMs;
  }
  return chain;
}
