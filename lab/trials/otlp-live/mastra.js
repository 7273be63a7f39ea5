import { createOpenAI } from "@ai-sdk/openai";
import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { createTool } from "@mastra/core/tools";
import { Observability } from "@mastra/observability";
import { OtelExporter } from "@mastra/otel-exporter";
import { z } from "zod";

const exporter = new OtelExporter({
  provider: {
    custom: {
      endpoint: `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`,
      headers: { authorization: `Bearer ${process.env.WHYTRACE_API_KEY}` },
      protocol: "http/protobuf",
    },
  },
});
const inputSchema = z.object({ city: z.string() });
const weather = (id, answer) =>
  createTool({ id, description: id, inputSchema, execute: async () => ({ answer }) });
const agent = new Agent({
  id: "weather_agent",
  name: "weather_agent",
  instructions: "Answer in one sentence.",
  model: createOpenAI({ baseURL: `${process.env.PROVIDER_URL}/v1`, apiKey: "none" })("gpt-5.4-mini"),
  tools: { get_weather: weather("get_weather", "22 degrees"), get_time: weather("get_time", "noon") },
});
const mastra = new Mastra({
  agents: { agent },
  logger: false,
  observability: new Observability({ configs: { otel: { serviceName: "weather", exporters: [exporter] } } }),
});
await mastra.getAgent("agent").generate("How is the weather?", {
  tracingOptions: { metadata: { sessionId: "conv-1" } },
});
await mastra.shutdown();
process.exit(0);
