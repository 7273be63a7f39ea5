import type { TreeNode } from "./trace-tree.ts";

/** The row that stands for what is selected: its own, or that of the nearest thing it is folded into. */
export function activeRowKey(
  indexByKey: ReadonlyMap<string, number>,
  groupKey: string | null,
  selected: TreeNode | null,
): string | null {
  if (groupKey !== null && indexByKey.has(groupKey)) return groupKey;
  for (let node: TreeNode | null = selected; node; node = node.parent) {
    if (indexByKey.has(node.key)) return node.key;
    if (node.group && indexByKey.has(node.group.key)) return node.group.key;
  }
  return null;
}
