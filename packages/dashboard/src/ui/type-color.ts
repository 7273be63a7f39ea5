import type { DecisionPointType, SpanType } from "@whytrace/contract";

const COLORS: Record<DecisionPointType | SpanType, string> = {
  TOOL_SELECTION: "--color-tool",
  ROUTING: "--color-agent",
  RETRY: "--color-retry",
  ESCALATION: "--color-escalation",
  MEMORY_RETRIEVAL: "--color-memory",
  PLANNING: "--color-llm",
  CUSTOM: "--color-custom",
  LLM_CALL: "--color-llm",
  TOOL_CALL: "--color-tool",
  MEMORY_OP: "--color-memory",
  CHAIN: "--color-chain",
  AGENT: "--color-agent",
};

/** The CSS custom property with a type's colour, for stylesheets and the canvas. */
export const typeColor = (type: DecisionPointType | SpanType) => COLORS[type];
