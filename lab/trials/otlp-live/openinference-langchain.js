import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as CallbackManagerModule from "@langchain/core/callbacks/manager";
import { ChatOpenAI } from "@langchain/openai";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { createAgent, tool } from "langchain";
import { z } from "zod";

const sdk = new NodeSDK();
sdk.start();
new LangChainInstrumentation().manuallyInstrument(CallbackManagerModule);

const model = new ChatOpenAI({
  model: "gpt-5.4-mini",
  apiKey: "none",
  configuration: { baseURL: `${process.env.PROVIDER_URL}/v1` },
});
const schema = z.object({ city: z.string() });
const tools = [
  tool(() => "22 degrees", { name: "get_weather", description: "The weather", schema }),
  tool(() => "noon", { name: "get_time", description: "The time", schema }),
];
const agent = createAgent({ model, tools, name: "weather_agent" });
await agent.invoke(
  { messages: [{ role: "user", content: "How is the weather?" }] },
  { metadata: { session_id: "conv-1" } },
);
await sdk.shutdown().catch((error) => console.warn(`Traces were not sent: ${error.message || error.code}`));
