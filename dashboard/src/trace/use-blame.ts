import { useQuery } from "@tanstack/react-query";
import { useContext, useMemo, useState } from "react";
import { blamePath, failedSpan, hasError, isSuspected } from "./model/blame-path.ts";
import type { TraceTree, TreeNode } from "./model/trace-tree.ts";
import { PayloadTime } from "./payload/payload-time.ts";
import { blameQuery } from "./why/blame-query.ts";

/**
 * The decisions before the error of the selected span. While something else is selected, that is still the error that was
 * looked at last; at first it is the one that the trace ended with.
 */
export function useBlame(tree: TraceTree, selected: TreeNode | null, isShown: boolean) {
  const outlineMs = useContext(PayloadTime);
  const [errorSpanId, setErrorSpanId] = useState<string>();
  const spanId = selected === null ? undefined : (failedSpan(selected)?.span.id ?? errorSpanId);
  const [current, setCurrent] = useState(0);
  if (spanId !== errorSpanId) {
    setErrorSpanId(spanId);
    setCurrent(0);
  }
  const isOffered = hasError(tree);
  const query = useQuery({
    ...blameQuery(tree.outline.id, spanId, outlineMs),
    enabled: isOffered && isShown,
  });
  const { data: blame } = query;
  const path = useMemo(() => blame && blamePath(tree, blame), [tree, blame]);
  const count = blame?.suspects.filter(isSuspected).length ?? 0;
  const onSuspect = (step: 1 | -1) => setCurrent((before) => (before + step + count) % count);
  return {
    isOffered,
    path,
    why: isOffered ? { query, current } : null,
    onSuspect: isShown && count > 0 ? onSuspect : null,
  };
}
