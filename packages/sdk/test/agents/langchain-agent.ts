import { tool as langchainTool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { whytraceCallbacks } from "../../src/langchain.ts";
import { type Agent, QUESTION, RESULT, readNow, SCHEMA, TOOLS } from "./agent.ts";

export function langchain(url: string): Agent {
  const model = new ChatOpenAI({
    model: "gpt-test",
    apiKey: "sk-test",
    maxRetries: 0,
    configuration: { baseURL: `${url}/v1` },
  });
  const [getWeather, askHuman] = TOOLS.map((name) =>
    langchainTool(async () => RESULT, { name, description: name, schema: SCHEMA }),
  );
  if (!getWeather || !askHuman) throw new Error("the tools are missing");
  const bound = model.bindTools([getWeather, askHuman]);
  const callTool = (callbacks: ReturnType<typeof whytraceCallbacks>[]) =>
    getWeather.invoke({ city: "Tōkyō" }, { callbacks });
  async function* stream() {
    const callbacks = [whytraceCallbacks()];
    for await (const _ of await bound.stream(QUESTION, { callbacks }));
    const answer = await bound.stream(String(await callTool(callbacks)), { callbacks });
    for await (const chunk of answer) yield String(chunk.content);
  }
  return {
    name: "LangChain",
    async reply() {
      const callbacks = [whytraceCallbacks()];
      await bound.invoke(QUESTION, { callbacks });
      return String((await bound.invoke(String(await callTool(callbacks)), { callbacks })).content);
    },
    stream: async () => readNow(stream()),
  };
}
