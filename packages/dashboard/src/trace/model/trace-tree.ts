import type { Outline, OutlineDecision, OutlineEvent, OutlineSpan } from "./outline.ts";

/** Why a span with a `parentSpanId` is shown at the root. */
export type ParentError = "missing parent" | "circular parent";

export interface SpanNode {
  kind: "span";
  key: string;
  span: OutlineSpan;
  parent: SpanNode | null;
  children: TreeNode[];
  /** The children as displayed: runs of identical spans are replaced by groups. */
  items: TreeItem[];
  group: GroupNode | null;
  parentError: ParentError | null;
  startMs: number;
  endMs: number;
  /** Null if the agent sent neither a duration nor an end. */
  durationMs: number | null;
  isUnfinished: boolean;
  costUsd: number | null;
  tokenCount: number | null;
  /** Whether the value is the sum over the child spans. */
  isCostDerived: boolean;
  isTokenCountDerived: boolean;
}

export interface DecisionNode {
  kind: "decision";
  key: string;
  decision: OutlineDecision;
  parent: SpanNode | null;
  group: null;
  startMs: number;
  /** 1-based, among all decisions of the trace sorted by time. */
  position: number;
}

/** Five or more consecutive, identical siblings. */
export interface GroupNode {
  kind: "group";
  key: string;
  parent: SpanNode | null;
  items: SpanNode[];
  startMs: number;
  endMs: number;
  costUsd: number | null;
  tokenCount: number | null;
}

export type TreeNode = SpanNode | DecisionNode;
export type TreeItem = TreeNode | GroupNode;

export interface TraceTree {
  outline: Outline;
  roots: TreeNode[];
  items: TreeItem[];
  /** Every span and decision in depth-first order, siblings sorted by time. */
  order: TreeNode[];
  byKey: Map<string, TreeNode>;
  spans: SpanNode[];
  decisions: DecisionNode[];
  errors: SpanNode[];
  eventsBySpan: Map<string, OutlineEvent[]>;
  startMs: number;
  endMs: number;
  /** The latest time in the trace, including when the server received it. */
  lastActivityMs: number;
  costUsd: number | null;
  isCostDerived: boolean;
  tokenCount: number | null;
  isTokenCountDerived: boolean;
  durationMs: number | null;
}

export const spanKey = (id: string) => `s:${id}`;
export const decisionKey = (id: string) => `d:${id}`;
