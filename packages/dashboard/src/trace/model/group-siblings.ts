import { sumKnown } from "./roll-up.ts";
import type { GroupNode, SpanNode, TreeItem, TreeNode } from "./trace-tree.ts";

const MIN_GROUP_SIZE = 5;

/**
 * Groups five or more consecutive siblings with the same name, type, status and descendants. A span that contains a
 * decision is never grouped, so no decision is hidden.
 */
export function groupSiblings(roots: TreeNode[], order: TreeNode[]): TreeItem[] {
  const shapes = new SubtreeShapes();
  for (const node of order) if (node.kind === "span") node.items = groupRuns(node.children, node, shapes);
  return groupRuns(roots, null, shapes);
}

const looksIdentical = (a: TreeNode, b: TreeNode) =>
  a.kind === "span" &&
  b.kind === "span" &&
  a.span.name === b.span.name &&
  a.span.type === b.span.type &&
  a.span.status === b.span.status;

/** Assigns equal numbers to spans with identical subtrees. Computed lazily, for spans that look identical. */
class SubtreeShapes {
  readonly #shapes = new Map<TreeNode, number | null>();
  readonly #numbers = new Map<string, number>();

  /** Null if the subtree must not be grouped. */
  shapeOf(top: TreeNode): number | null {
    const subtree: TreeNode[] = [top];
    for (let i = 0; i < subtree.length; i++) {
      const node = subtree[i];
      if (node?.kind === "span" && !this.#shapes.has(node))
        for (const child of node.children) subtree.push(child);
    }
    for (let i = subtree.length - 1; i >= 0; i--) this.#computeShape(subtree[i] as TreeNode);
    return this.#shapes.get(top) ?? null;
  }

  #computeShape(node: TreeNode) {
    if (this.#shapes.has(node)) return;
    const childShapes =
      node.kind === "span" ? node.children.map((child) => this.#shapes.get(child) ?? null) : [];
    if (node.kind === "decision" || node.parentError || childShapes.includes(null)) {
      this.#shapes.set(node, null);
      return;
    }
    const text = `${node.span.type} ${node.span.status} ${childShapes.join()} ${node.span.name}`;
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    this.#shapes.set(node, number);
  }
}

function groupRuns(siblings: TreeNode[], parent: SpanNode | null, shapes: SubtreeShapes): TreeItem[] {
  if (siblings.length < MIN_GROUP_SIZE) return siblings;
  const items: TreeItem[] = [];
  for (let from = 0; from < siblings.length; ) {
    const first = siblings[from] as TreeNode;
    let to = from + 1;
    while (to < siblings.length && looksIdentical(first, siblings[to] as TreeNode)) to++;
    if (to - from < MIN_GROUP_SIZE) for (; from < to; from++) items.push(siblings[from] as TreeNode);
    else {
      const shape = shapes.shapeOf(first);
      let same = from + 1;
      if (shape !== null) while (same < to && shapes.shapeOf(siblings[same] as TreeNode) === shape) same++;
      const run = siblings.slice(from, same).filter((node) => node.kind === "span");
      if (run.length < MIN_GROUP_SIZE) items.push(...run);
      else items.push(createGroup(run, parent));
      from = same;
    }
  }
  return items;
}

function createGroup(members: SpanNode[], parent: SpanNode | null): GroupNode {
  const group: GroupNode = {
    kind: "group",
    key: `g:${members[0]?.key}`,
    parent,
    items: members,
    startMs: members.reduce((ms, node) => Math.min(ms, node.startMs), Number.POSITIVE_INFINITY),
    endMs: members.reduce((ms, node) => Math.max(ms, node.endMs), Number.NEGATIVE_INFINITY),
    costUsd: sumKnown(members.map((node) => node.costUsd)),
    tokenCount: sumKnown(members.map((node) => node.tokenCount)),
  };
  for (const member of members) member.group = group;
  return group;
}
