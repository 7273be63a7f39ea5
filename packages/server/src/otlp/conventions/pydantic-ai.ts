import type { Convention } from "./convention.ts";

/** Pydantic AI, beside the GenAI attributes. Its earlier versions have the tools only among the request's parameters. */
export const pydanticAi: Convention = {
  attributes: {
    agent_name: "agentName",
    "operation.cost": "costUsd",
    model_request_parameters: "offered",
    tool_arguments: "input",
    "pydantic_ai.all_messages": "input",
    tool_response: "output",
    final_result: "output",
  },
};
