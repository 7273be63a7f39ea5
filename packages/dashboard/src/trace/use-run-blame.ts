import { useQuery } from "@tanstack/react-query";
import type { Blame } from "@whytrace/contract";
import { useContext } from "react";
import type { TraceTree } from "./model/trace-tree.ts";
import { PayloadTime } from "./payload/payload-time.ts";
import { useOpensOnWhy } from "./use-opens-on-why.ts";
import { blameQuery } from "./why/blame-query.ts";

interface RunBlame {
  /** Undefined while it loads, and for other runs. */
  blame: Blame | undefined;
  isLoading: boolean;
}

/** What explains a bad run as a whole. */
export function useRunBlame(tree: TraceTree): RunBlame {
  const outlineMs = useContext(PayloadTime);
  const isWanted = useOpensOnWhy(tree);
  const { data, isLoading } = useQuery({
    ...blameQuery(tree.outline.id, undefined, outlineMs),
    enabled: isWanted,
  });
  return { blame: isWanted ? data : undefined, isLoading };
}
