import { useContext } from "react";
import { useRunOutcome } from "../scores/use-run-outcome.ts";
import { isAbandoned } from "./model/blame-path.ts";
import type { TraceTree } from "./model/trace-tree.ts";
import { PayloadTime } from "./payload/payload-time.ts";
import { useIsWhyOffered } from "./use-is-why-offered.ts";

/** Whether the run is bad and Why can explain it: its page opens with the answer. */
export function useOpensOnWhy(tree: TraceTree): boolean {
  const outlineMs = useContext(PayloadTime);
  const isOffered = useIsWhyOffered(tree);
  const { outcome } = useRunOutcome(tree.outline.id, isOffered);
  if (!isOffered) return false;
  // Until the outcome is known, an error is taken for one that counts.
  const isBad = outcome ? outcome.outcome === "bad" : tree.outline.status === "ERROR";
  return isBad || isAbandoned(tree, outlineMs);
}
