import type { TreeNode } from "./trace-tree.ts";

/** The key of the selected node's row or, if it is collapsed, of the nearest visible ancestor or group. */
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
