import type { SpanNode, TraceTree, TreeNode } from "./trace-tree.ts";

/** A model call, with what stands before it. */
export interface TranscriptCallEntry {
  kind: "call";
  node: SpanNode;
  /** The calls that may have the start of the same conversation. */
  previous: readonly SpanNode[];
  /** The root of the trace, if this is the first call. */
  request: SpanNode | null;
  /** The tools that ran since the call before. */
  tools: readonly SpanNode[];
}

/** One entry of the transcript. */
export type TranscriptEntry =
  /** What the run was asked, if its root says so in plain text. */
  | { kind: "request"; node: SpanNode }
  | TranscriptCallEntry
  | { kind: "tool"; node: SpanNode }
  /** A decision, or another span that failed. */
  | { kind: "other"; node: TreeNode };

/** A trace as a conversation, in the order of time: model calls, the tools between them, decisions and errors. */
export function transcriptEntries(tree: TraceTree): TranscriptEntry[] {
  const nodes = tree.order.filter(isShown).sort((one, other) => one.startMs - other.startMs);
  const root = tree.roots.find(isRoot);
  const entries: TranscriptEntry[] = [];
  const calls: SpanNode[] = [];
  let tools: SpanNode[] = [];
  for (const node of nodes) {
    if (node.kind === "span" && isCall(node)) {
      const request = calls.length === 0 ? (root ?? null) : null;
      entries.push({ kind: "call", node, previous: previousCalls(node, calls), request, tools });
      calls.push(node);
      tools = [];
    } else if (node.kind === "span" && isTool(node)) {
      entries.push({ kind: "tool", node });
      tools.push(node);
    } else entries.push({ kind: "other", node });
  }
  return root && entries.length > 0 ? [{ kind: "request", node: root }, ...entries] : entries;
}

const isTool = ({ span }: SpanNode) => span.type === "TOOL_CALL";
const isRoot = (node: TreeNode): node is SpanNode =>
  node.kind === "span" && (node.span.type === "AGENT" || node.span.type === "CHAIN");

/** A call directly inside a call is the same one, as a second instrumentation saw it. */
const isCall = ({ span, parent }: SpanNode) => span.type === "LLM_CALL" && parent?.span.type !== "LLM_CALL";

/** A failed span says nothing new if one inside it failed with the same message. */
const isShown = (node: TreeNode): boolean =>
  node.kind === "decision" ||
  isCall(node) ||
  isTool(node) ||
  (node.span.status === "ERROR" && !node.children.some((child) => isSameError(child, node)));

const isSameError = (child: TreeNode, { span }: SpanNode) =>
  child.kind === "span" && child.span.status === "ERROR" && child.span.statusMessage === span.statusMessage;

/** The last one, and the last one of the same parent. */
function previousCalls(node: SpanNode, calls: readonly SpanNode[]): SpanNode[] {
  const lastSibling = calls.findLast(({ parent }) => parent === node.parent);
  return [...new Set([calls.at(-1), lastSibling])].filter((one) => one !== undefined);
}
