import type { DecisionMap, MapNode } from "@whytrace/contract";
import type { CountedTraces } from "../../traces/trace-count.tsx";
import { countedTraces } from "../counted-traces.ts";

/** The traces with a bad outcome that made a choice, right after another one if that is given. */
export const failedTraces = (
  map: DecisionMap,
  node: MapNode | undefined,
  after?: string | undefined,
): CountedTraces => ({
  ...countedTraces(map, {}),
  step: node?.step,
  after,
  about: node?.name,
  outcome: "bad",
});
