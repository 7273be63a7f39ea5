/** Frameworks that report by OpenTelemetry, and the page below /docs/opentelemetry that sets each up. */
export const FRAMEWORKS: readonly (readonly [label: string, page: string])[] = [
  ["AI SDK", "ai-sdk"],
  ["Anthropic SDK", "anthropic"],
  ["Claude Agent SDK", "claude-agent-sdk"],
  ["Genkit", "genkit"],
  ["Google ADK", "google-adk"],
  ["LangChain and LangGraph", "langchain"],
  ["Langfuse SDK", "langfuse"],
  ["Mastra", "mastra"],
  ["Microsoft Agent 365", "agent365"],
  ["OpenAI", "openai"],
  ["OpenAI Agents SDK", "openai-agents"],
  ["OpenInference", "openinference"],
  ["OpenLIT", "openlit"],
  ["OpenLLMetry", "openllmetry"],
  ["Strands Agents", "strands"],
  ["VoltAgent", "voltagent"],
];
