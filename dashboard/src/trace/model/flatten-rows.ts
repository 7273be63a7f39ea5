import type { TraceTree, TreeItem, TreeNode } from "./trace-tree.ts";

/** One line of the tree grid, with its place among its siblings as assistive tools are told it. */
export interface TreeRow {
  item: TreeItem;
  level: number;
  place: number;
  setSize: number;
  isExpanded: boolean | null;
}

/** Keys of what differs from its usual state: spans are usually open, groups usually closed. */
export type ToggledKeys = ReadonlySet<string>;

export const isOpen = (item: TreeItem, toggled: ToggledKeys) =>
  item.kind === "group" ? toggled.has(item.key) : !toggled.has(item.key);

const itemsOf = (item: TreeItem): TreeItem[] => (item.kind === "decision" ? [] : item.items);

export function flattenRows(tree: TraceTree, toggled: ToggledKeys): TreeRow[] {
  const rows: TreeRow[] = [];
  const stack: { items: TreeItem[]; at: number }[] = [{ items: tree.items, at: 0 }];
  while (stack.length > 0) {
    const frame = stack[stack.length - 1] as { items: TreeItem[]; at: number };
    const item = frame.items[frame.at];
    if (!item) {
      stack.pop();
      continue;
    }
    frame.at++;
    const beneath = itemsOf(item);
    const isExpanded = beneath.length > 0 ? isOpen(item, toggled) : null;
    rows.push({ item, level: stack.length, place: frame.at, setSize: frame.items.length, isExpanded });
    if (isExpanded) stack.push({ items: beneath, at: 0 });
  }
  return rows;
}

/** The same, with everything above one node open. */
export function withAncestorsExpanded(node: TreeNode, toggled: ToggledKeys): ToggledKeys {
  const next = new Set(toggled);
  if (node.group) next.add(node.group.key);
  for (let above = node.parent; above; above = above.parent) {
    next.delete(above.key);
    if (above.group) next.add(above.group.key);
  }
  return next.size === toggled.size && [...next].every((key) => toggled.has(key)) ? toggled : next;
}
