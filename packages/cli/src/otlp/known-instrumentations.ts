import type { Feature } from "./survey-instrumentations.ts";

/** What a library leaves out, and what turns it on. */
interface KnownInstrumentation {
  scope: RegExp;
  /** In docs/opentelemetry/. */
  page: string;
  advice: Partial<Record<Feature, string>>;
}

const NOT_SENT = "This version does not send it.";

/** The pages say the same at length, and which versions were tried. */
const KNOWN_INSTRUMENTATIONS: readonly KnownInstrumentation[] = [
  {
    scope: /^(gen_)?ai$/,
    page: "ai-sdk.md",
    advice: {
      messages: "Remove recordInputs: false and recordOutputs: false.",
      reasoning: "Version 5 does not send it; the model may also have given none.",
      session:
        "Version 7: runtimeContext.sessionId with telemetry.includeRuntimeContext. Versions 5 and 6: metadata.sessionId.",
    },
  },
  {
    scope: /^@opentelemetry\/instrumentation-openai$/,
    page: "openai.md",
    advice: {
      messages:
        "Set OTEL_LOGS_EXPORTER=otlp and OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true: they come as logs.",
      "tool calls":
        "Set OTEL_LOGS_EXPORTER=otlp and OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true: they come as logs.",
      "tools offered": "Set gen_ai.tool.definitions on a span of your own around the run.",
      tokens: "Streamed chats: stream_options: { include_usage: true }.",
      session: "Set gen_ai.conversation.id on a span of your own around the run.",
    },
  },
  {
    scope: /^com\.anthropic\.sdk/,
    page: "anthropic.md",
    advice: {
      messages: "Set ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE=content.",
      "tool calls": "Set ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE=content.",
      "tools offered":
        "The SDK does not send them. Set gen_ai.tool.definitions on a span of your own around the loop, or use OpenInference.",
      session: "Pass openTelemetry: { conversationId } with the request's options.",
    },
  },
  {
    scope: /^com\.anthropic\.claude_code/,
    page: "claude-agent-sdk.md",
    advice: {
      messages: "Set OTEL_LOGS_EXPORTER=otlp, OTEL_LOG_USER_PROMPTS=1 and OTEL_LOG_TOOL_CONTENT=1.",
      "tools offered": NOT_SENT,
      reasoning: NOT_SENT,
    },
  },
  {
    scope: /openinference-instrumentation-claude-agent-sdk$/,
    page: "claude-agent-sdk.md",
    advice: { "tool calls": "It records no model calls. The SDK's own traces do." },
  },
  {
    scope: /openinference[-.]instrumentation[-.]langchain$/,
    page: "langchain.md",
    advice: { session: "Pass metadata: { session_id } when you invoke the agent." },
  },
  {
    scope: /openinference[-.]instrumentation[-.]openai[-_]agents$/,
    page: "openai-agents.md",
    advice: {
      "tools offered": "Use the Responses API: spans of chat completions have no tools.",
      session: "It does not send groupId. Set session.id on a span of your own around the run.",
    },
  },
  {
    scope: /openinference/,
    page: "openinference.md",
    advice: {
      messages: "Remove OPENINFERENCE_HIDE_INPUTS and OPENINFERENCE_HIDE_OUTPUTS.",
      tokens: "Streamed chats have none: use the Responses API, or do not stream.",
      session: "Use setSession of @arizeai/openinference-core, or using_session in Python.",
    },
  },
  {
    scope: /^(@traceloop\/|opentelemetry\.instrumentation\.(openai|anthropic|langchain))/,
    page: "openllmetry.md",
    advice: {
      messages: "Remove TRACELOOP_TRACE_CONTENT=false.",
      "tool calls":
        "Tool calls of the Responses API, LangChain and LlamaIndex are not sent: use OpenInference.",
      "tools offered": "Not sent for Anthropic: use OpenInference, or the SDK's own spans.",
      reasoning: "Not sent for OpenAI: use OpenInference.",
      tokens: "Streamed chats have none.",
      session: "Use withAssociationProperties({ session_id }).",
    },
  },
  {
    scope: /^langsmith/,
    page: "langchain.md",
    advice: { session: "Pass metadata: { session_id } to traceable." },
  },
  {
    scope: /^@mastra\//,
    page: "mastra.md",
    advice: { session: "Pass tracingOptions: { metadata: { sessionId } }." },
  },
  {
    scope: /^langfuse/,
    page: "langfuse.md",
    advice: {
      "tools offered": "Put the request with its tools into the generation's input.",
      session: "Use propagateAttributes({ sessionId }).",
    },
  },
  {
    scope: /^genkit/,
    page: "genkit.md",
    advice: { session: "Set session.id on the active span of your flow." },
  },
  {
    scope: /^gcp\.vertex\.agent/,
    page: "google-adk.md",
    advice: { messages: "Remove ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS=false." },
  },
  {
    scope: /^strands-agents/,
    page: "strands.md",
    advice: {
      reasoning: "It appears only among the messages of the next call.",
      session: "Pass traceAttributes with session.id to the agent.",
    },
  },
  {
    scope: /^@openlit\/|^openlit/,
    page: "openlit.md",
    advice: {
      messages: "Remove traceContent: false.",
      "tool calls": "Tool calls of the Responses API are not sent: use chat completions.",
      "tools offered": "Streamed calls do not send them.",
      session: "Set session.id on a span of your own around the run.",
    },
  },
  {
    scope: /^@voltagent\//,
    page: "voltagent.md",
    advice: {
      "tool calls":
        "It does not say which call chose a tool. Record the AI SDK below it, or write the decisions.",
      session: "Pass conversationId.",
    },
  },
  {
    scope: /^Agent365Sdk/,
    page: "agent365.md",
    advice: {
      "tools offered": "Set gen_ai.tool.definitions on the active span.",
      session: "Pass conversationId in the request of each scope.",
    },
  },
];

const UNKNOWN: Omit<KnownInstrumentation, "scope"> = {
  page: "",
  advice: {
    messages:
      "Look for a setting that captures message content, such as OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true.",
    "tools offered": "Set gen_ai.tool.definitions on the call, or on a span around it.",
    session: "Set session.id or gen_ai.conversation.id on the root span.",
  },
};

const COMMON: Readonly<Record<Feature, string>> = {
  messages: NOT_SENT,
  "tool calls": NOT_SENT,
  "tools offered": NOT_SENT,
  reasoning: "The model gave none, or it is not sent.",
  tokens: NOT_SENT,
  cost: "The price of the model is unknown.",
  session: "Set session.id on the root span.",
};

export function adviceFor(scopeName: string): { page: string; advice: Readonly<Record<Feature, string>> } {
  const known = KNOWN_INSTRUMENTATIONS.find(({ scope }) => scope.test(scopeName)) ?? UNKNOWN;
  return {
    page: known.page === "" ? "docs/opentelemetry.md" : `docs/opentelemetry/${known.page}`,
    advice: { ...COMMON, ...known.advice },
  };
}
