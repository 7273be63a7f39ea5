import type { Convention } from "./convention.ts";

/** OpenLLMetry. Its early versions flatten messages into attributes. */
export const traceloop: Convention = {
  attributes: {
    "traceloop.span.kind": "type",
    "traceloop.entity.name": "workflowName",
    "traceloop.association.properties.session_id": "session",
    "traceloop.entity.input": "input",
    "traceloop.entity.output": "output",
    "llm.usage.total_tokens": "totalTokens",
  },
  flattened: {
    "gen_ai.prompt": "input",
    "gen_ai.completion": "output",
    "llm.request.functions": "offered",
  },
};
