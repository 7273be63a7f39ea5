import type { Convention } from "./convention.ts";

export const langfuse: Convention = {
  attributes: {
    "langfuse.observation.type": "type",
    "langfuse.trace.name": "traceName",
    "langfuse.session.id": "session",
    "langfuse.trace.tags": "tags",
    "langfuse.observation.model.name": "responseModel",
    "langfuse.observation.usage_details": "usageDetails",
    "langfuse.observation.cost_details": "costDetails",
    "langfuse.observation.metadata.tools": "offered",
    "langfuse.observation.level": "isFailed",
    "langfuse.observation.status_message": "errorMessage",
    "langfuse.observation.input": "input",
    "langfuse.observation.output": "output",
  },
};
