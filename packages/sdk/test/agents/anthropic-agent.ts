import Anthropic from "@anthropic-ai/sdk";
import { wrapAnthropic } from "../../src/anthropic.ts";
import { type Agent, mapText, QUESTION, runTool, SCHEMA, TOOLS } from "./agent.ts";

export function anthropic(url: string): Agent {
  const client = wrapAnthropic(new Anthropic({ apiKey: "sk-test", baseURL: url, maxRetries: 0 }));
  const tools = TOOLS.map((name) => ({ name, input_schema: SCHEMA }));
  const ask = (content: string) => ({
    model: "claude-test",
    max_tokens: 100,
    messages: [{ role: "user" as const, content }],
    tools,
  });
  return {
    name: "Anthropic",
    async reply() {
      await client.messages.create(ask(QUESTION));
      const { content } = await client.messages.create(ask(await runTool()));
      return content.map((block) => (block.type === "text" ? block.text : "")).join("");
    },
    async stream() {
      await client.messages.stream(ask(QUESTION)).finalMessage();
      const answer = await client.messages.create({ ...ask(await runTool()), stream: true });
      return ReadableStream.from(
        mapText(answer, (event) =>
          event.type === "content_block_delta" && event.delta.type === "text_delta" ? event.delta.text : "",
        ),
      );
    },
  };
}
