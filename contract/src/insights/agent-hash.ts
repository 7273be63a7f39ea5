import { hash53 } from "./hash53.ts";
import { maskText } from "./mask-text.ts";

/** Identifies the agent that a trace belongs to: all traces whose names differ only in masked parts. */
export const agentHash = (traceName: string): number => hash53(maskText(traceName));
