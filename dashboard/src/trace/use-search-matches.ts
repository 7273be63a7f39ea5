import { useDeferredValue, useMemo } from "react";
import { found, searchText } from "./model/search-tree.ts";
import type { TraceSearchParams } from "./model/trace-search-params.ts";
import type { TraceTree, TreeNode } from "./model/trace-tree.ts";

/** What the search field or, without a text, the chosen pill finds. */
export function useSearchMatches(tree: TraceTree, { q, find }: TraceSearchParams) {
  const text = useDeferredValue(q);
  const nodes = useMemo<TreeNode[] | null>(
    () => (text ? searchText(tree, text) : find ? found(tree, find) : null),
    [tree, text, find],
  );
  const marked = useMemo(
    // The critical path is drawn beneath the bars; a tint on nearly every row would say nothing.
    () => new Set(nodes === null || (!text && find === "critical") ? [] : nodes.map(({ key }) => key)),
    [nodes, text, find],
  );
  return { nodes, marked };
}
