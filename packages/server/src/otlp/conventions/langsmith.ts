import type { Convention } from "./convention.ts";

/** LangSmith sends usage and models as GenAI attributes, and whole requests and responses as JSON. */
export const langSmith: Convention = {
  attributes: {
    "langsmith.span.kind": "type",
    "langsmith.metadata.session_id": "session",
    "langsmith.metadata.thread_id": "session",
    "langsmith.span.tags": "tags",
    "gen_ai.prompt": "input",
    "gen_ai.completion": "output",
  },
};
