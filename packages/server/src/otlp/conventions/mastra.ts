import type { Convention } from "./convention.ts";

/** The calls of an answer are on the step around the model's span, its reasoning on the chunks below it. */
export const mastra: Convention = {
  attributes: {
    "mastra.metadata.sessionId": "session",
    "mastra.metadata.threadId": "session",
    "mastra.tags": "tags",
    "mastra.agent_run.input": "input",
    "mastra.agent_run.output": "output",
    "mastra.model_generation.input": "input",
    "mastra.model_generation.output": "output",
    "mastra.model_step.input": "input",
    "mastra.model_step.output": "output",
    "mastra.model_chunk.output": "output",
    "mastra.tool_call.input": "input",
    "mastra.tool_call.output": "output",
    "mastra.mcp_tool_call.input": "input",
    "mastra.mcp_tool_call.output": "output",
    "mastra.workflow_run.input": "input",
    "mastra.workflow_run.output": "output",
    "mastra.workflow_step.input": "input",
    "mastra.workflow_step.output": "output",
    "mastra.processor_run.input": "input",
    "mastra.processor_run.output": "output",
    "mastra.generic.input": "input",
    "mastra.generic.output": "output",
  },
};

/** The step around a model's span lists the calls of its answer. */
export const MASTRA_STEP_OUTPUT = "mastra.model_step.output";
/** A part of an answer: reasoning, text or a call, without a word on which it is. */
export const MASTRA_CHUNK_OUTPUT = "mastra.model_chunk.output";
