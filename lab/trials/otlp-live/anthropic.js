import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { startTracing } from "./start-tracing.js";

const provider = startTracing();

const anthropic = new Anthropic({ baseURL: process.env.PROVIDER_URL, apiKey: "none" });
const inputSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const tools = [
  betaTool({ name: "get_weather", description: "The weather", inputSchema, run: () => "22 degrees" }),
  betaTool({ name: "get_time", description: "The time", inputSchema, run: () => "noon" }),
];
const messages = [{ role: "user", content: "How is the weather?" }];
await anthropic.beta.messages
  .toolRunner(
    { model: "claude-sonnet-5-5", max_tokens: 1_024, messages, tools },
    { openTelemetry: { conversationId: "conv-1" } },
  )
  .runUntilDone();
await provider
  .shutdown()
  .catch((error) => console.warn(`Traces were not sent: ${error.message || error.code}`));
