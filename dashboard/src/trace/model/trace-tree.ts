import type { Outline, OutlineDecision, OutlineEvent, OutlineSpan } from "./outline.ts";

/** Why a span that names a parent stands at the root all the same. */
export type ParentError = "missing parent" | "parent loop";

export interface SpanNode {
  kind: "span";
  key: string;
  span: OutlineSpan;
  parent: SpanNode | null;
  children: TreeNode[];
  /** What is shown beneath: the children, with runs of identical ones as groups. */
  items: TreeItem[];
  group: GroupNode | null;
  fault: ParentError | null;
  startMs: number;
  endMs: number;
  /** Null when neither a duration nor an end was sent. */
  durationMs: number | null;
  isUnfinished: boolean;
  costUsd: number | null;
  tokenCount: number | null;
  /** Whether the figure is the sum of what is beneath. */
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
  /** 1-based, among all decisions of the trace in time. */
  place: number;
}

/** Five or more identical siblings in a row. */
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
  /** Every span and decision, parents before children, siblings in time. */
  order: TreeNode[];
  byKey: Map<string, TreeNode>;
  spans: SpanNode[];
  decisions: DecisionNode[];
  errors: SpanNode[];
  eventsBySpan: Map<string, OutlineEvent[]>;
  /** Events that name no span of this trace. */
  looseEvents: OutlineEvent[];
  startMs: number;
  endMs: number;
  /** The last instant that anything in the trace speaks of, its arrival included. */
  lastActivityMs: number;
  costUsd: number | null;
  isCostDerived: boolean;
  tokenCount: number | null;
  isTokenCountDerived: boolean;
  durationMs: number | null;
}

export const spanKey = (id: string) => `s:${id}`;
export const decisionKey = (id: string) => `d:${id}`;
