import { NO_SPAN, SpanTree } from "@whytrace/contract";
import { groupSiblings } from "./group-siblings.ts";
import type { Outline, OutlineEvent, OutlineSpan } from "./outline.ts";
import { rollUp, sumKnown } from "./roll-up.ts";
import {
  type DecisionNode,
  decisionKey,
  type SpanNode,
  spanKey,
  type TraceTree,
  type TreeNode,
} from "./trace-tree.ts";

/** Builds a tree from an outline's flat lists. `nowMs`: where to end unfinished spans, if the trace is still active. */
export function buildTree(outline: Outline, nowMs?: number): TraceTree {
  const spans = outline.spans.map(createSpanNode);
  const lastMs = lastKnownMs(outline, spans);
  const isActive = outline.status === "RUNNING" && nowMs !== undefined;
  const openEndMs = isActive ? Math.max(lastMs, nowMs) : lastMs;
  for (const node of spans) if (node.isUnfinished) node.endMs = Math.max(node.startMs, openEndMs);
  const tree = new SpanTree(outline.spans);
  const findSpan = (id: string | null): SpanNode | null => spans[tree.find(id)] ?? null;
  for (const [index, node] of spans.entries()) {
    const { parentSpanId } = node.span;
    if (parentSpanId === null) continue;
    node.parent = spans[tree.parent[index] ?? NO_SPAN] ?? null;
    if (!node.parent) node.parentError = findSpan(parentSpanId) ? "circular parent" : "missing parent";
  }
  const decisions = outline.decisionPoints
    .map((decision): DecisionNode => {
      const parent = findSpan(decision.parentSpanId);
      const key = decisionKey(decision.id);
      const startMs = Date.parse(decision.timestamp);
      return { kind: "decision", key, decision, parent, group: null, startMs, position: 0 };
    })
    .sort((a, b) => a.startMs - b.startMs);
  for (const [index, node] of decisions.entries()) node.position = index + 1;

  const roots: TreeNode[] = [];
  for (const node of [...decisions, ...spans]) (node.parent?.children ?? roots).push(node);
  sortByTime(roots);
  for (const node of spans) sortByTime(node.children);
  const order = preorder(roots);
  rollUp(order);
  const items = groupSiblings(roots, order);

  const eventsBySpan = groupEventsBySpan(outline, tree);
  const rootSpans = roots.filter((node) => node.kind === "span");
  const startMs = Math.min(Date.parse(outline.startedAt), ...boundsOf(order, "first"));
  const endMs = Math.max(
    startMs,
    ...boundsOf(order, "last"),
    outline.endedAt ? Date.parse(outline.endedAt) : startMs,
  );
  return {
    outline,
    roots,
    items,
    order,
    byKey: new Map(order.map((node) => [node.key, node])),
    spans,
    decisions,
    errors: order.filter((node) => node.kind === "span" && node.span.status === "ERROR") as SpanNode[],
    eventsBySpan,
    startMs,
    endMs,
    lastActivityMs: Math.max(lastMs, Date.parse(outline.createdAt)),
    costUsd: outline.totalCost ?? sumKnown(rootSpans.map((node) => node.costUsd)),
    isCostDerived: outline.totalCost === null,
    tokenCount: outline.totalTokens ?? sumKnown(rootSpans.map((node) => node.tokenCount)),
    isTokenCountDerived: outline.totalTokens === null,
    durationMs: outline.totalDuration ?? (endMs > startMs ? endMs - startMs : null),
  };
}

/** An unfinished span gets its start as a provisional end. */
function createSpanNode(span: OutlineSpan): SpanNode {
  const startMs = Date.parse(span.startedAt);
  const sentEndMs = span.endedAt === null ? null : Date.parse(span.endedAt);
  const durationMs = span.durationMs ?? (sentEndMs === null ? null : Math.max(0, sentEndMs - startMs));
  const isUnfinished = span.status === "RUNNING" && durationMs === null;
  const endMs = Math.max(startMs, sentEndMs ?? startMs + (durationMs ?? 0));
  return {
    kind: "span",
    key: spanKey(span.id),
    span,
    parent: null,
    children: [],
    items: [],
    group: null,
    parentError: null,
    startMs,
    endMs,
    durationMs,
    isUnfinished,
    costUsd: span.costUsd,
    tokenCount: span.tokenCount,
    isCostDerived: false,
    isTokenCountDerived: false,
  };
}

/** Within the same millisecond, a decision comes before the spans it led to. */
const sortByTime = (nodes: TreeNode[]) =>
  nodes.sort(
    (a, b) => a.startMs - b.startMs || Number(b.kind === "decision") - Number(a.kind === "decision"),
  );

/** Iterative, because a trace may be thousands of levels deep. */
function preorder(roots: TreeNode[]): TreeNode[] {
  const order: TreeNode[] = [];
  const stack = roots.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    order.push(node);
    if (node.kind === "span")
      for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i] as TreeNode);
  }
  return order;
}

function lastKnownMs(outline: Outline, spans: SpanNode[]): number {
  let lastMs = Date.parse(outline.endedAt ?? outline.startedAt);
  for (const { endMs } of spans) lastMs = Math.max(lastMs, endMs);
  for (const { timestamp } of outline.decisionPoints) lastMs = Math.max(lastMs, Date.parse(timestamp));
  for (const { timestamp } of outline.events) lastMs = Math.max(lastMs, Date.parse(timestamp));
  return lastMs;
}

/** The earliest start or the latest end; an empty list if there are no nodes. */
function boundsOf(order: TreeNode[], bound: "first" | "last"): number[] {
  let found: number | undefined;
  for (const node of order) {
    const ms = bound === "last" && node.kind === "span" ? node.endMs : node.startMs;
    if (found === undefined || (bound === "first" ? ms < found : ms > found)) found = ms;
  }
  return found === undefined ? [] : [found];
}

function groupEventsBySpan(outline: Outline, tree: SpanTree) {
  const eventsBySpan = new Map<string, OutlineEvent[]>();
  for (const event of outline.events) {
    if (event.spanId === null || tree.find(event.spanId) === NO_SPAN) continue;
    const events = eventsBySpan.get(event.spanId) ?? [];
    events.push(event);
    eventsBySpan.set(event.spanId, events);
  }
  return eventsBySpan;
}
