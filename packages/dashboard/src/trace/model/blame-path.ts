import type { Blame, Suspect } from "@whytrace/contract";
import type { ToggledKeys, TreeRow } from "./flatten-rows.ts";
import { decisionKey, type SpanNode, spanKey, type TraceTree, type TreeNode } from "./trace-tree.ts";

/** What the tree shows of a run that went wrong: the decisions before that and how their options are ranked. */
export interface BlamePath {
  blame: Blame;
  /** By the key of the likeliest decision for the option. */
  suspects: ReadonlyMap<string, RankedSuspect>;
  /** Options that were left out have no decision. */
  leftOut: readonly RankedSuspect[];
  errorKey: string | null;
  /** Nodes that are shown: failed spans, decisions before the error, and the spans around them. */
  shown: ReadonlySet<string>;
}

export interface RankedSuspect {
  suspect: Suspect;
  /** From 1 on; null if it is not suspected. */
  rank: number | null;
}

/** A row on the way to the error. */
export interface RailMark {
  mark: number | "✕" | null;
  /** Whether the rail goes on above and below the row. */
  isAbove: boolean;
  isBelow: boolean;
}

export const isSuspected = ({ suspicion }: Suspect) => suspicion !== "none";

export function blamePath(tree: TraceTree, blame: Blame): BlamePath {
  const suspects = new Map<string, RankedSuspect>();
  const leftOut: RankedSuspect[] = [];
  const suspected = blame.suspects.filter(isSuspected);
  for (const suspect of blame.suspects) {
    const ranked = { suspect, rank: suspected.indexOf(suspect) + 1 || null };
    if (suspect.decisionPointId !== null) suspects.set(decisionKey(suspect.decisionPointId), ranked);
    else if (ranked.rank !== null) leftOut.push(ranked);
  }
  // A run that never ended may have gone wrong anywhere.
  const errorMs = blame.error ? Date.parse(blame.error.at) : Number.POSITIVE_INFINITY;
  const shown = new Set<string>();
  const show = (node: TreeNode) => {
    for (let at: TreeNode | null = node; at && !shown.has(at.key); at = at.parent) shown.add(at.key);
  };
  for (const decision of tree.decisions) if (decision.startMs <= errorMs) show(decision);
  for (const span of tree.errors) show(span);
  const errorSpanId = blame.error?.spanId ?? null;
  return { blame, suspects, leftOut, errorKey: errorSpanId === null ? null : spanKey(errorSpanId), shown };
}

/** The rows of the shown nodes, with the number of other nodes directly inside each. */
export function blameRows(tree: TraceTree, { shown }: BlamePath, toggled: ToggledKeys): TreeRow[] {
  const rows: TreeRow[] = [];
  const visible = (nodes: readonly TreeNode[]) => nodes.filter(({ key }) => shown.has(key));
  const stack: { nodes: TreeNode[]; at: number }[] = [{ nodes: visible(tree.roots), at: 0 }];
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const node = frame.nodes[frame.at];
    if (!node) {
      stack.pop();
      continue;
    }
    frame.at += 1;
    const all = childrenOf(node);
    const inside = visible(all);
    const isExpanded = inside.length > 0 ? !toggled.has(node.key) : null;
    rows.push({
      item: node,
      level: stack.length,
      position: frame.at,
      setSize: frame.nodes.length,
      isExpanded,
      foldedCount: all.length - inside.length,
    });
    if (isExpanded) stack.push({ nodes: inside, at: 0 });
  }
  return rows;
}

const childrenOf = (node: TreeNode): readonly TreeNode[] => (node.kind === "span" ? node.children : []);

/** The rail from the first suspect in the tree to the error, by the key of each row. */
export function blameRail(
  rows: readonly TreeRow[],
  { suspects, errorKey }: BlamePath,
): Map<string, RailMark> {
  const marks = rows.map(({ item }) =>
    item.key === errorKey ? ("✕" as const) : (suspects.get(item.key)?.rank ?? null),
  );
  const first = marks.findIndex((mark) => mark !== null);
  const last = marks.findLastIndex((mark) => mark !== null);
  const rail = new Map<string, RailMark>();
  for (let index = Math.max(0, first); index <= last; index++) {
    const row = rows[index];
    if (row)
      rail.set(row.item.key, {
        mark: marks[index] ?? null,
        isAbove: index > first,
        isBelow: index < last,
      });
  }
  return rail;
}

/** Whether something in the trace failed, so that the decisions before it can be looked at. */
export const hasError = (tree: TraceTree): boolean =>
  tree.errors.length > 0 ||
  tree.outline.status === "ERROR" ||
  tree.outline.events.some(({ type }) => type === "ERROR");

/** The server takes a run for abandoned if nothing was received of it for so long. */
const ABANDONED_MS = 60 * 60_000;

export const isAbandoned = ({ outline, lastActivityMs }: TraceTree, nowMs: number): boolean =>
  outline.status === "RUNNING" && nowMs - lastActivityMs > ABANDONED_MS;

/** The span whose error is explained if a node is selected; undefined if the node did not fail. */
export const failedSpan = (node: TreeNode | null): SpanNode | undefined =>
  node?.kind === "span" && node.span.status === "ERROR" ? node : undefined;
