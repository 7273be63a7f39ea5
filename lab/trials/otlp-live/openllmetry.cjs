const traceloop = require("@traceloop/node-server-sdk");
traceloop.initialize({ appName: "weather", silenceInitializationMessage: true, traceloopSyncEnabled: false });

const { OpenAI } = require("openai");

async function main() {
  const { askAboutWeather } = await import("./weather-loop.js");
  const openai = new OpenAI({ baseURL: `${process.env.PROVIDER_URL}/v1`, apiKey: "none" });
  const runTool = (name) => traceloop.withTool({ name }, async () => "22 degrees");
  await traceloop.withAssociationProperties({ session_id: "conv-1" }, () =>
    traceloop.withAgent({ name: "weather_agent" }, () => askAboutWeather(openai, runTool)),
  );
  await traceloop
    .forceFlush()
    .catch((error) => console.warn(`Traces were not sent: ${error.message || error.code}`));
}
void main();
