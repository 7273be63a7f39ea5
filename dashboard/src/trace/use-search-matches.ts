import { useDeferredValue, useMemo } from "react";
import { quickSearch, searchText } from "./model/search-tree.ts";
import type { TraceSearchParams } from "./model/trace-search-params.ts";
import type { TraceTree, TreeNode } from "./model/trace-tree.ts";

/** The nodes that match the search text or, without a text, the quick search. */
export function useSearchMatches(tree: TraceTree, { q, find }: TraceSearchParams) {
  const text = useDeferredValue(q);
  const matches = useMemo<TreeNode[] | null>(
    () => (text ? searchText(tree, text) : find ? quickSearch(tree, find) : null),
    [tree, text, find],
  );
  const highlightedKeys = useMemo(
    // The critical path is drawn below the bars. Highlighting it would colour nearly every row.
    () => new Set(matches === null || (!text && find === "critical") ? [] : matches.map(({ key }) => key)),
    [matches, text, find],
  );
  return { matches, highlightedKeys };
}
