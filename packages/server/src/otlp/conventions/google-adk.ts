import type { Convention } from "./convention.ts";

/** Tool spans of the Agent Development Kit have an empty `llm_request` beside their arguments. */
export const googleAdk: Convention = {
  attributes: {
    "gcp.vertex.agent.session_id": "session",
    "gcp.vertex.agent.tool_call_args": "input",
    "gcp.vertex.agent.llm_request": "input",
    "gcp.vertex.agent.tool_response": "output",
    "gcp.vertex.agent.llm_response": "output",
  },
};
