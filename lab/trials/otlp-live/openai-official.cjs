const { NodeSDK } = require("@opentelemetry/sdk-node");
const { OpenAIInstrumentation } = require("@opentelemetry/instrumentation-openai");

const sdk = new NodeSDK({ instrumentations: [new OpenAIInstrumentation()] });
sdk.start();

const { trace } = require("@opentelemetry/api");
const { OpenAI } = require("openai");

async function main() {
  const { askAboutWeather, TOOLS } = await import("./weather-loop.js");
  const openai = new OpenAI({ baseURL: `${process.env.PROVIDER_URL}/v1`, apiKey: "none" });
  const tracer = trace.getTracer("weather");
  const inSpan = (name, attributes, work) =>
    tracer.startActiveSpan(name, { attributes }, async (span) => {
      const result = await work();
      span.end();
      return result;
    });
  const runTool = (name) =>
    inSpan(
      `execute_tool ${name}`,
      { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name },
      async () => "22 degrees",
    );
  await inSpan(
    "invoke_agent weather_agent",
    {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "weather_agent",
      "gen_ai.conversation.id": "conv-1",
      "gen_ai.tool.definitions": JSON.stringify(TOOLS),
    },
    () => askAboutWeather(openai, runTool),
  );
  await sdk.shutdown().catch((error) => console.warn(`Traces were not sent: ${error.message || error.code}`));
}
void main();
