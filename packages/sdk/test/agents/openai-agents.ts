import OpenAI from "openai";
import { wrapOpenAI } from "../../src/openai.ts";
import { type Agent, mapText, QUESTION, readNow, runTool, SCHEMA, TOOLS } from "./agent.ts";

/** The first turn is read in the handler. The stream of the second turn starts there and is read by the framework. */
export function openaiChat(url: string): Agent {
  const client = wrapOpenAI(new OpenAI({ apiKey: "sk-test", baseURL: `${url}/v1`, maxRetries: 0 }));
  const tools = TOOLS.map((name) => ({
    type: "function" as const,
    function: { name, parameters: SCHEMA },
  }));
  const ask = (content: string) => ({
    model: "gpt-test",
    messages: [{ role: "user" as const, content }],
    tools,
  });
  const streamed = { stream: true as const, stream_options: { include_usage: true } };
  return {
    name: "OpenAI chat",
    async reply() {
      await client.chat.completions.create(ask(QUESTION));
      const { choices } = await client.chat.completions.create(ask(await runTool()));
      return choices[0]?.message.content ?? "";
    },
    async stream() {
      for await (const _ of await client.chat.completions.create({ ...ask(QUESTION), ...streamed }));
      const answer = await client.chat.completions.create({ ...ask(await runTool()), ...streamed });
      return ReadableStream.from(mapText(answer, ({ choices }) => choices[0]?.delta.content));
    },
  };
}

/** Both turns are read after the handler has returned. */
export function openaiResponses(url: string): Agent {
  const client = wrapOpenAI(new OpenAI({ apiKey: "sk-test", baseURL: `${url}/v1`, maxRetries: 0 }));
  const tools = TOOLS.map((name) => ({
    type: "function" as const,
    name,
    parameters: SCHEMA,
    strict: false,
  }));
  const ask = (input: string) => ({ model: "gpt-test", input, tools });
  async function* stream() {
    for await (const _ of await client.responses.create({ ...ask(QUESTION), stream: true }));
    const answer = await client.responses.create({ ...ask(await runTool()), stream: true });
    for await (const event of answer) if (event.type === "response.output_text.delta") yield event.delta;
  }
  return {
    name: "OpenAI Responses",
    async reply() {
      await client.responses.create(ask(QUESTION));
      return (await client.responses.create(ask(await runTool()))).output_text;
    },
    stream: async () => readNow(stream()),
  };
}
