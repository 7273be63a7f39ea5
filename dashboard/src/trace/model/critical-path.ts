import type { SpanNode, TreeNode } from "./trace-tree.ts";

export interface CriticalSegment {
  /** From when to when the run waited for this span, whatever worked inside it. */
  fromMs: number;
  toMs: number;
  /** How much of that was its own, with no child to wait for. */
  selfMs: number;
}

interface Wait extends CriticalSegment {
  node: SpanNode;
}

/**
 * The chain of spans that a run's end waited for, found backwards: from a span's end to the child that finished last,
 * from that child's start to whichever had finished before it, and so on to the span's start. What a child did outside
 * its parent's time held nobody up, so it does not count.
 */
export function criticalPath(roots: TreeNode[]): Map<SpanNode, CriticalSegment> {
  const path = new Map<SpanNode, CriticalSegment>();
  const rootSpans = spansOf(roots);
  const endMs = rootSpans.reduce((ms, node) => Math.max(ms, node.endMs), Number.NEGATIVE_INFINITY);
  const stack = chainBefore(rootSpans, Number.NEGATIVE_INFINITY, endMs);
  for (let wait = stack.pop(); wait; wait = stack.pop()) {
    const { node, fromMs, toMs } = wait;
    const chain = chainBefore(spansOf(node.children), fromMs, toMs);
    const waitedMs = chain.reduce((sum, child) => sum + child.toMs - child.fromMs, 0);
    path.set(node, { fromMs, toMs, selfMs: toMs - fromMs - waitedMs });
    stack.push(...chain);
  }
  return path;
}

const spansOf = (nodes: TreeNode[]) => nodes.filter((node) => node.kind === "span");

/** Which of these, one after the other, led to a moment: each ended before the next began. */
function chainBefore(spans: SpanNode[], fromMs: number, toMs: number): Wait[] {
  const candidates = spans
    .map((node) => ({
      node,
      fromMs: Math.max(fromMs, node.startMs),
      toMs: Math.min(toMs, node.endMs),
      selfMs: 0,
    }))
    .filter((wait) => wait.node.endMs >= fromMs && wait.node.startMs <= toMs && wait.fromMs <= wait.toMs)
    // Of two that end together the longer one was waited for.
    .sort((a, b) => b.toMs - a.toMs || a.fromMs - b.fromMs);
  const chain: Wait[] = [];
  let cursorMs = toMs;
  for (const wait of candidates) {
    if (wait.toMs > cursorMs) continue;
    chain.push(wait);
    cursorMs = wait.fromMs;
  }
  return chain;
}
