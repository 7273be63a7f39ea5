import type { Convention } from "./convention.ts";

/** Strands Agents sends GenAI attributes and events. Its loop's cycles have no kind. */
export const strands: Convention = {
  attributes: { "agent_loop.cycle_id": "isLoopCycle" },
};
