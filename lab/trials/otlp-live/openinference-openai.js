import { setSession, traceAgent, traceTool } from "@arizeai/openinference-core";
import { OpenAIInstrumentation } from "@arizeai/openinference-instrumentation-openai";
import { context } from "@opentelemetry/api";
import { NodeSDK } from "@opentelemetry/sdk-node";
import OpenAI from "openai";
import { askAboutWeather } from "./weather-loop.js";

const instrumentation = new OpenAIInstrumentation();
const sdk = new NodeSDK({ instrumentations: [instrumentation] });
sdk.start();
instrumentation.manuallyInstrument(OpenAI);

const openai = new OpenAI({ baseURL: `${process.env.PROVIDER_URL}/v1`, apiKey: "none" });
const runTool = (name, given) => traceTool(async (_given) => "22 degrees", { name })(given);
const agent = traceAgent(async (_question) => askAboutWeather(openai, runTool), { name: "weather_agent" });
await context.with(setSession(context.active(), { sessionId: "conv-1" }), () => agent("How is the weather?"));
await sdk.shutdown().catch((error) => console.warn(`Traces were not sent: ${error.message || error.code}`));
