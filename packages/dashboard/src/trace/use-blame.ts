import { useQuery } from "@tanstack/react-query";
import type { Suspect } from "@whytrace/contract";
import { useContext, useMemo, useState } from "react";
import { blamePath, failedSpan, isSuspected } from "./model/blame-path.ts";
import { type DecisionNode, decisionKey, type TraceTree, type TreeNode } from "./model/trace-tree.ts";
import { PayloadTime } from "./payload/payload-time.ts";
import { useIsWhyOffered } from "./use-is-why-offered.ts";
import { blameQuery } from "./why/blame-query.ts";

/** A suspect and its likeliest decision in the tree: none if the option was left out, or if the trace has changed since. */
export interface SuspectNode {
  /** From 1 on. */
  rank: number;
  node: DecisionNode | undefined;
}

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
  const isOffered = useIsWhyOffered(tree);
  const query = useQuery({
    ...blameQuery(tree.outline.id, spanId, outlineMs),
    enabled: isOffered && isShown,
  });
  const { data: blame } = query;
  const path = useMemo(() => blame && blamePath(tree, blame), [tree, blame]);
  const suspects = useMemo(
    () => blame?.suspects.filter(isSuspected).map(suspectIn(tree)) ?? [],
    [tree, blame],
  );
  const onSuspect = (step: 1 | -1) => {
    const next = (current + step + suspects.length) % suspects.length;
    setCurrent(next);
    return suspects[next]?.node;
  };
  return {
    isOffered,
    path,
    why: isOffered ? { query, current } : null,
    /** The likeliest one first; none while they are not shown. */
    suspects: isShown ? suspects : NO_SUSPECTS,
    suspect: isShown ? suspects[current]?.node : undefined,
    onSuspect: isShown && suspects.length > 0 ? onSuspect : null,
  };
}

const NO_SUSPECTS: SuspectNode[] = [];

const suspectIn =
  (tree: TraceTree) =>
  ({ decisionPointId }: Suspect, index: number): SuspectNode => {
    const node = decisionPointId === null ? undefined : tree.byKey.get(decisionKey(decisionPointId));
    return { rank: index + 1, node: node?.kind === "decision" ? node : undefined };
  };
