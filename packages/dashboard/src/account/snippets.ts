import { INSTALL_SDK } from "@whytrace/contract";

const SDK = "@whytrace/sdk";

/** For a shell: installs the SDK, writes a program and runs it. */
const sdkSnippet = (origin: string, key: string) => `${INSTALL_SDK}
cat > first-trace.mjs <<'END'
import { decide, init, span, trace } from "${SDK}";
init({
  url: "${origin}",
  apiKey: "${key}",
});
await trace("my first agent", async () => {
  const tool = await decide("TOOL_SELECTION", {
    options: ["search_docs", "ask_human", "answer_directly"],
    chosen: "search_docs",
    reasoning: "The question is about policy, and the documents hold it.",
  });
  await span(tool, { type: "TOOL_CALL" }, () => ["policy.md"]);
});
END
node first-trace.mjs`;

const otelVariables = (origin: string, key: string) => `export OTEL_EXPORTER_OTLP_ENDPOINT=${origin}
export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20${key}"
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf`;

/** The variables for an instrumented agent, and one trace for those who have none at hand. */
const otelSnippet = (origin: string, key: string, id: string, now: string) => `${otelVariables(origin, key)}
# Now start your agent. To send an example instead:
curl ${origin}/v1/traces -H 'authorization: Bearer ${key}' -H 'content-type: application/json' -d '${otlpBody(id, now)}'`;

/** The example trace as OTLP/JSON, which has ids in hexadecimal and times in nanoseconds. */
function otlpBody(id: string, now: string): string {
  const at = (offsetMs: number) => `"${Date.parse(now) + offsetMs}000000"`;
  return `
{"resourceSpans":[{"scopeSpans":[{"spans":[{
  "traceId":"${id}","spanId":"${id.slice(0, 16)}","name":"my first agent",
  "startTimeUnixNano":${at(0)},"endTimeUnixNano":${at(640)},
  "attributes":[{"key":"whytrace.span.type","value":{"stringValue":"AGENT"}}],
  "events":[{"name":"whytrace.decision","timeUnixNano":${at(100)},"attributes":[
    {"key":"whytrace.decision.type","value":{"stringValue":"TOOL_SELECTION"}},
    {"key":"whytrace.decision.chosen","value":{"stringValue":"search_docs"}},
    {"key":"whytrace.decision.alternatives","value":{"stringValue":"[\\"ask_human\\",\\"answer_directly\\"]"}},
    {"key":"whytrace.decision.reasoning","value":{"stringValue":"The question is about policy, and the documents hold it."}}
  ]}]}]}]}]}`;
}

/** For a shell. It needs the key of a model provider. */
const aiSdkSnippet = (
  origin: string,
  key: string,
) => `npm install ai@7 @ai-sdk/openai@4 @ai-sdk/otel@1 @opentelemetry/sdk-node@0.301 zod@4
${otelVariables(origin, key)}
cat > first-trace.mjs <<'END'
import { openai } from "@ai-sdk/openai";
import { OpenTelemetry } from "@ai-sdk/otel";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { generateText, isStepCount, registerTelemetry, tool } from "ai";
import { z } from "zod";

const sdk = new NodeSDK();
sdk.start();
registerTelemetry(new OpenTelemetry());

const text = (name) => z.object({ [name]: z.string() });
const { text: answer } = await generateText({
  model: openai("gpt-5.4-mini"),
  prompt: "May I return my order A-1001?",
  tools: {
    search_docs: tool({ inputSchema: text("query"), execute: async () => "Returns: thirty days." }),
    ask_human: tool({ inputSchema: text("question"), execute: async () => "Nobody is here." }),
  },
  stopWhen: isStepCount(5),
  telemetry: { functionId: "my first agent" },
});
console.log(answer);
await sdk.shutdown().catch((error) => console.warn(\`Traces were not sent: \${error.message || error.code}\`));
END
OPENAI_API_KEY=\${OPENAI_API_KEY:?set it first} node first-trace.mjs`;

/** The example trace as a body of POST /api/traces. */
const body = (id: string, now: string) => `{"traces":[{
  "id":"${id}","name":"my first agent","status":"COMPLETED","tags":["first"],
  "startedAt":"${now}","totalDuration":1840,"totalCost":0.0042,
  "spans":[{"id":"s1","name":"search docs","type":"TOOL_CALL","status":"COMPLETED",
    "startedAt":"${now}","durationMs":640,"input":{"q":"refund policy"},"output":["policy.md"]}],
  "decisionPoints":[{"id":"d1","type":"TOOL_SELECTION","parentSpanId":"s1","timestamp":"${now}",
    "chosen":"search_docs","alternatives":["ask_human","answer_directly"],
    "reasoning":"The question is about policy, and the documents hold it."}],
  "events":[]}]}`;

export interface Snippet {
  id: "sdk" | "otel" | "ai-sdk" | "python" | "curl";
  label: string;
  /** For whom the snippet is. */
  about: string;
  text: string;
}

/** Every snippet runs as it is, without edits. */
export function snippets(origin: string, key: string, id: string, now: string): Snippet[] {
  const json = body(id, now);
  return [
    {
      id: "otel",
      label: "OpenTelemetry",
      about:
        "For agents in any language that are instrumented already, such as with OpenInference, OpenLLMetry, LangChain or Mastra. Set the variables and start your agent.",
      text: otelSnippet(origin, key, id, now),
    },
    {
      id: "ai-sdk",
      label: "AI SDK",
      about: "Vercel's AI SDK 7 reports model calls, tools and decisions itself. Paste it into a shell.",
      text: aiSdkSnippet(origin, key),
    },
    {
      id: "sdk",
      label: "TypeScript SDK",
      about: "Records spans, decisions and the calls of model clients. Paste it into a shell.",
      text: sdkSnippet(origin, key),
    },
    {
      id: "python",
      label: "Python",
      about: "Needs no package. Instrumented Python agents use the variables under OpenTelemetry instead.",
      text: `import urllib.request

body = '''${json}'''
request = urllib.request.Request("${origin}/api/traces", body.encode(),
                                 {"authorization": "Bearer ${key}"})
print(urllib.request.urlopen(request).read().decode())`,
    },
    {
      id: "curl",
      label: "curl",
      about: "One request with one trace, from any language. Paste it into a shell.",
      text: `curl ${origin}/api/traces \\\n  -H 'authorization: Bearer ${key}' \\\n  -d '${json}'`,
    },
  ];
}
