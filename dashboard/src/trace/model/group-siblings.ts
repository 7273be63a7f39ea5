import { sumOf } from "./roll-up.ts";
import type { GroupNode, SpanNode, TreeItem, TreeNode } from "./trace-tree.ts";

const GROUP_FROM = 5;

/**
 * Folds runs of five or more identical siblings: the same name, type and status, and the same beneath them. What holds
 * a decision is never like anything else, so no decision hides in a group.
 */
export function groupSiblings(roots: TreeNode[], order: TreeNode[]): TreeItem[] {
  const shapes = new Shapes();
  for (const node of order) if (node.kind === "span") node.items = grouped(node.children, node, shapes);
  return grouped(roots, null, shapes);
}

const isAlike = (a: TreeNode, b: TreeNode) =>
  a.kind === "span" &&
  b.kind === "span" &&
  a.span.name === b.span.name &&
  a.span.type === b.span.type &&
  a.span.status === b.span.status;

/** A number for each shape of span and what is beneath it, found only for what already looks alike. */
class Shapes {
  readonly #known = new Map<TreeNode, number | null>();
  readonly #numbers = new Map<string, number>();

  /** Null for what is like nothing else. */
  of(top: TreeNode): number | null {
    const below: TreeNode[] = [top];
    for (let i = 0; i < below.length; i++) {
      const node = below[i];
      if (node?.kind === "span" && !this.#known.has(node))
        for (const child of node.children) below.push(child);
    }
    for (let i = below.length - 1; i >= 0; i--) this.#settle(below[i] as TreeNode);
    return this.#known.get(top) ?? null;
  }

  #settle(node: TreeNode) {
    if (this.#known.has(node)) return;
    const beneath = node.kind === "span" ? node.children.map((child) => this.#known.get(child) ?? null) : [];
    if (node.kind === "decision" || node.fault || beneath.includes(null)) {
      this.#known.set(node, null);
      return;
    }
    const text = `${node.span.type} ${node.span.status} ${beneath.join()} ${node.span.name}`;
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    this.#known.set(node, number);
  }
}

function grouped(siblings: TreeNode[], parent: SpanNode | null, shapes: Shapes): TreeItem[] {
  if (siblings.length < GROUP_FROM) return siblings;
  const items: TreeItem[] = [];
  for (let from = 0; from < siblings.length; ) {
    const first = siblings[from] as TreeNode;
    let to = from + 1;
    while (to < siblings.length && isAlike(first, siblings[to] as TreeNode)) to++;
    if (to - from < GROUP_FROM) for (; from < to; from++) items.push(siblings[from] as TreeNode);
    else {
      const shape = shapes.of(first);
      let same = from + 1;
      if (shape !== null) while (same < to && shapes.of(siblings[same] as TreeNode) === shape) same++;
      const run = siblings.slice(from, same).filter((node) => node.kind === "span");
      if (run.length < GROUP_FROM) items.push(...run);
      else items.push(groupOf(run, parent));
      from = same;
    }
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
