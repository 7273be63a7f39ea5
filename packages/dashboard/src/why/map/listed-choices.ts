import { type DecisionMap, type MapNode, OTHER_STEPS } from "@whytrace/contract";

/** The step of the start of all runs. */
export const START = "0";

/** The choices that can be shown: all but the start and those that the server took together. */
export const listedChoices = ({ nodes }: Pick<DecisionMap, "nodes">): MapNode[] =>
  nodes.filter(({ step }) => step !== START && step !== OTHER_STEPS);
