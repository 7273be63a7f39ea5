import type { Agent } from "./run-agent.ts";

export const AI_SDK: Agent = { file: "ai-sdk.js" };
export const ANTHROPIC: Agent = {
  file: "anthropic.js",
  unsent: ["alternatives"],
  env: { ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE: "content" },
};
export const PLAIN_PYTHON: Agent = { file: "plain.py", unsent: ["model calls", "tools", "tokens"] };

/** Those whose packages only the trial installs. */
export const OTHERS: readonly Agent[] = [
  { file: "openinference-openai.js" },
  { file: "openinference-langchain.js" },
  { file: "openllmetry.cjs", unsent: ["reasoning"] },
  {
    file: "openai-official.cjs",
    env: { OTEL_LOGS_EXPORTER: "otlp", OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" },
  },
  { file: "mastra.js", env: { MASTRA_TELEMETRY_DISABLED: "1" } },
];
