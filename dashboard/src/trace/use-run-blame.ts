import { useQuery } from "@tanstack/react-query";
import type { Blame } from "@whytrace/contract";
import { useContext } from "react";
import type { TraceTree } from "./model/trace-tree.ts";
import { PayloadTime } from "./payload/payload-time.ts";
import { useOpensOnWhy } from "./use-opens-on-why.ts";
import { blameQuery } from "./why/blame-query.ts";

/** What explains a bad run as a whole; undefined while it loads, and for other runs. */
export function useRunBlame(tree: TraceTree): Blame | undefined {
  const outlineMs = useContext(PayloadTime);
  const isWanted = useOpensOnWhy(tree);
  const { data } = useQuery({ ...blameQuery(tree.outline.id, undefined, outlineMs), enabled: isWanted });
  return isWanted ? data : undefined;
}
