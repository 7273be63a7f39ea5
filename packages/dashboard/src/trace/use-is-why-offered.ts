import { useContext } from "react";
import { useRunOutcome } from "../scores/use-run-outcome.ts";
import { hasError, isAbandoned } from "./model/blame-path.ts";
import type { TraceTree } from "./model/trace-tree.ts";
import { PayloadTime } from "./payload/payload-time.ts";
import { ShareContext } from "./payload/share-context.ts";

/** Whether something went wrong in the run that Why can explain. Its figures come from other runs of the owner. */
export function useIsWhyOffered(tree: TraceTree): boolean {
  const outlineMs = useContext(PayloadTime);
  const isOwn = useContext(ShareContext) === null;
  const { outcome } = useRunOutcome(tree.outline.id, isOwn);
  return isOwn && (outcome?.outcome === "bad" || hasError(tree) || isAbandoned(tree, outlineMs));
}
