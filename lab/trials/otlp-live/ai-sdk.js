import { createOpenAI } from "@ai-sdk/openai";
import { OpenTelemetry } from "@ai-sdk/otel";
import { generateText, isStepCount, registerTelemetry, tool } from "ai";
import { z } from "zod";
import { startTracing } from "./start-tracing.js";

const provider = startTracing();
registerTelemetry(new OpenTelemetry({ runtimeContext: true }));

const city = z.object({ city: z.string() });
await generateText({
  model: createOpenAI({ baseURL: `${process.env.PROVIDER_URL}/v1`, apiKey: "none" })("gpt-5.4-mini"),
  prompt: "How is the weather?",
  tools: {
    get_weather: tool({ inputSchema: city, execute: async () => "22 degrees" }),
    get_time: tool({ inputSchema: city, execute: async () => "noon" }),
  },
  stopWhen: isStepCount(4),
  runtimeContext: { sessionId: "conv-1" },
  telemetry: { functionId: "weather_agent", includeRuntimeContext: { sessionId: true } },
});
await provider
  .shutdown()
  .catch((error) => console.warn(`Traces were not sent: ${error.message || error.code}`));
