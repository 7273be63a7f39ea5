import { useDeferredValue, useMemo } from "react";
import { quickSearch, searchText } from "./model/search-tree.ts";
import type { TraceHits } from "./model/trace-hits.ts";
import type { TraceSearchParams } from "./model/trace-search-params.ts";
import type { TraceTree, TreeNode } from "./model/trace-tree.ts";

/** The nodes that match the search text, in the outline or in their payloads, or, without a text, the quick search. */
export function useSearchMatches(
  tree: TraceTree,
  { q, find }: TraceSearchParams,
  { byKey }: TraceHits,
  badNodes: TreeNode[],
) {
  const text = useDeferredValue(q);
  /** The nodes of which the tree shows why they match. */
  const outlineMatches = useMemo(() => (text ? new Set(searchText(tree, text)) : null), [tree, text]);
  const matches = useMemo<TreeNode[] | null>(() => {
    if (!outlineMatches && find === "bad") return badNodes;
    // The blame path marks its rows itself.
    if (!outlineMatches) return find && find !== "blame" && find !== "bad" ? quickSearch(tree, find) : null;
    if (byKey.size === 0) return [...outlineMatches];
    return tree.order.filter((node) => outlineMatches.has(node) || byKey.has(node.key));
  }, [tree, outlineMatches, find, byKey, badNodes]);
  const highlightedKeys = useMemo(
    // The critical path is drawn below the bars. Highlighting it would colour nearly every row.
    () =>
      new Set(
        matches === null || (!text && find === "critical")
          ? []
          : matches.flatMap(({ key, group }) => (group ? [key, group.key] : key)),
      ),
    [matches, text, find],
  );
  return { matches, outlineMatches, highlightedKeys };
}
