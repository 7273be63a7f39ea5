import type { Convention } from "./convention.ts";

/** Microsoft Agent 365, beside the GenAI attributes. */
export const agent365: Convention = {
  attributes: {
    "microsoft.session.id": "session",
    "microsoft.a365.agent.thought.process": "reasoning",
  },
};
