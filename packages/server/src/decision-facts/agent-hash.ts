import { hash53, maskText } from "@whytrace/contract";

/** Identifies the agent that a trace belongs to: all traces whose names differ only in masked parts. */
export const agentHash = (traceName: string): number => hash53(maskText(traceName));
