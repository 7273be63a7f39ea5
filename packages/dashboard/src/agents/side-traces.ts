import type { ComparedSide } from "@whytrace/contract";
import type { TracesSearch } from "../traces/filters/traces-search.ts";

/** The runs of one side, also those that decided nothing. */
export const sideTraces = (agent: string, { release, from, to }: ComparedSide): TracesSearch => ({
  agent,
  release: release ?? undefined,
  decided: "any",
  startedFrom: from,
  startedTo: to,
});
