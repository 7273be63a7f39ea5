import type { TraceTree, TreeItem, TreeNode } from "./trace-tree.ts";

/** One row of the tree grid. `position` (1-based) and `setSize` are for assistive technology. */
export interface TreeRow {
  item: TreeItem;
  level: number;
  position: number;
  setSize: number;
  isExpanded: boolean | null;
  /** How many nodes directly inside are left out. */
  foldedCount?: number;
}

/** Keys of the items that are not in their default state: spans start expanded, groups collapsed. */
export type ToggledKeys = ReadonlySet<string>;

export const isItemExpanded = (item: TreeItem, toggled: ToggledKeys) =>
  item.kind === "group" ? toggled.has(item.key) : !toggled.has(item.key);

const childItems = (item: TreeItem): TreeItem[] => (item.kind === "decision" ? [] : item.items);

/** The visible rows of the tree. */
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
    const children = childItems(item);
    const isExpanded = children.length > 0 ? isItemExpanded(item, toggled) : null;
    rows.push({ item, level: stack.length, position: frame.at, setSize: frame.items.length, isExpanded });
    if (isExpanded) stack.push({ items: children, at: 0 });
  }
  return rows;
}

/** The toggled keys with all ancestors of a node expanded. */
export function withAncestorsExpanded(node: TreeNode, toggled: ToggledKeys): ToggledKeys {
  const next = new Set(toggled);
  if (node.group) next.add(node.group.key);
  for (let ancestor = node.parent; ancestor; ancestor = ancestor.parent) {
    next.delete(ancestor.key);
    if (ancestor.group) next.add(ancestor.group.key);
  }
  return next.size === toggled.size && [...next].every((key) => toggled.has(key)) ? toggled : next;
}
