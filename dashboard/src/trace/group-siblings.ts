import { sumOf } from "./roll-up.ts";
import type { GroupNode, SpanNode, TreeItem, TreeNode } from "./trace-tree.ts";

const GROUP_FROM = 5;

/**
 * Folds runs of five or more identical siblings: the same name, type and status, and the same beneath them. What holds
 * a decision is never like anything else, so no decision hides in a group.
 */
export function groupSiblings(roots: TreeNode[], order: TreeNode[]): TreeItem[] {
  const shapes = shapesOf(order);
  for (const node of order) if (node.kind === "span") node.items = grouped(node.children, node, shapes);
  return grouped(roots, null, shapes);
}

/** A number for each shape; what is like nothing else has none. */
function shapesOf(order: TreeNode[]): Map<TreeNode, number> {
  const shapes = new Map<TreeNode, number>();
  const numbers = new Map<string, number>();
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as TreeNode;
    if (node.kind === "decision" || node.fault) continue;
    const beneath = node.children.map((child) => shapes.get(child));
    if (beneath.includes(undefined)) continue;
    const text = `${node.span.type} ${node.span.status} ${beneath.join()} ${node.span.name}`;
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    shapes.set(node, number);
  }
  return shapes;
}

function grouped(siblings: TreeNode[], parent: SpanNode | null, shapes: Map<TreeNode, number>): TreeItem[] {
  if (siblings.length < GROUP_FROM) return siblings;
  const items: TreeItem[] = [];
  for (let from = 0; from < siblings.length; ) {
    const shape = shapes.get(siblings[from] as TreeNode);
    let to = from + 1;
    if (shape !== undefined)
      while (to < siblings.length && shapes.get(siblings[to] as TreeNode) === shape) to++;
    const run = siblings.slice(from, to);
    if (run.length < GROUP_FROM) items.push(...run);
    else
      items.push(
        groupOf(
          run.filter((node) => node.kind === "span"),
          parent,
        ),
      );
    from = to;
  }
  return items;
}

function groupOf(members: SpanNode[], parent: SpanNode | null): GroupNode {
  const group: GroupNode = {
    kind: "group",
    key: `g:${members[0]?.key}`,
    parent,
    items: members,
    startMs: members.reduce((ms, node) => Math.min(ms, node.startMs), Number.POSITIVE_INFINITY),
    endMs: members.reduce((ms, node) => Math.max(ms, node.endMs), Number.NEGATIVE_INFINITY),
    costUsd: sumOf(members.map((node) => node.costUsd)),
    tokenCount: sumOf(members.map((node) => node.tokenCount)),
  };
  for (const member of members) member.group = group;
  return group;
}
