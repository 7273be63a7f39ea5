import Anthropic from "@anthropic-ai/sdk";
import { afterAll, describe, expect, expectTypeOf, it } from "vitest";
import { startProviders } from "../test/providers.ts";
import { collect, plainAndWrapped, recordTraces } from "../test/record-traces.ts";
import { TEXT, WHY } from "../test/turn.ts";
import { wrapAnthropic } from "./anthropic.ts";
import { trace } from "./index.ts";

const providers = await startProviders();
afterAll(() => providers.close());
const plain = new Anthropic({ apiKey: "sk-test", baseURL: providers.url, maxRetries: 1 });
const wrapped = wrapAnthropic(plain, { prices: { "claude-test": { input: 2, output: 10 } } });

const tools = ["get_weather", "get_time", "ask_human"].map((name) => ({
  name,
  input_schema: { type: "object" as const, properties: {} },
}));
const ask = (content: string) => ({
  model: "claude-test",
  max_tokens: 100,
  system: "Be brief.",
  messages: [{ role: "user" as const, content }],
  tools,
});

const CALLS: [string, (client: Anthropic) => unknown][] = [
  ["create", (client) => client.messages.create(ask("hello"))],
  ["create with tools called", (client) => client.messages.create(ask("weather"))],
  [
    "create, streamed",
    async (client) => collect(await client.messages.create({ ...ask("weather"), stream: true })),
  ],
  ["the stream helper", (client) => client.messages.stream(ask("weather")).finalMessage()],
  ["the stream helper's text", (client) => client.messages.stream(ask("hello")).finalText()],
  [
    "withResponse",
    async (client) => {
      const { data, response, request_id } = await client.messages.create(ask("hello")).withResponse();
      return { data, status: response.status, url: response.url, request_id };
    },
  ],
  ["asResponse", async (client) => (await client.messages.create(ask("hello")).asResponse()).text()],
  ["beta", (client) => client.beta.messages.create(ask("hello"))],
  ["an error", (client) => client.messages.create(ask("fail"))],
  [
    "a call aborted before it began",
    (client) => client.messages.create(ask("hello"), { signal: AbortSignal.abort() }),
  ],
];

describe("a wrapped Anthropic client", () => {
  it.each(CALLS)("behaves like the plain client: %s", async (_, call) => {
    const { expected, actual } = await plainAndWrapped(call, { plain, wrapped });
    expect(actual).toEqual(expected);
  });

  it("keeps its class and its types", () => {
    expect(wrapped).toBeInstanceOf(Anthropic);
    expectTypeOf(wrapped).toEqualTypeOf<Anthropic>();
  });

  it("passes the cancellation of a stream on to the provider and ends the span", async () => {
    const [sent] = await recordTraces(() =>
      trace("agent", async () => {
        let count = 0;
        for await (const { type } of await wrapped.messages.create({ ...ask("endless"), stream: true }))
          if (type === "content_block_delta" && ++count === 3) break;
      }),
    );
    await expect.poll(() => providers.cancelledStreams).toHaveLength(1);
    expect(sent?.spans[0]).toMatchObject({ status: expect.stringMatching(/COMPLETED|ERROR/) });
  });

  it.each<[string, (client: Anthropic) => unknown]>([
    ["a message", (client) => client.messages.create(ask("weather"))],
    [
      "a streamed one",
      async (client) => collect(await client.messages.create({ ...ask("weather"), stream: true })),
    ],
    ["the stream helper", (client) => client.messages.stream(ask("weather")).finalMessage()],
  ])("records model, tokens and cost, and the called tool as a decision: %s", async (_, call) => {
    const [sent] = await recordTraces(() => trace("agent", () => call(wrapped)));
    expect(sent).toMatchObject({ totalTokens: 1_200, totalCost: 0.004 });
    const [llm] = sent?.spans ?? [];
    expect(llm).toMatchObject({
      type: "LLM_CALL",
      input: { system: "Be brief.", messages: [{ content: "weather" }] },
      metadata: { model: "claude-test-2026", finishReason: "tool_use" },
    });
    expect(sent?.decisionPoints).toMatchObject([
      {
        chosen: "get_weather",
        alternatives: ["get_time", "ask_human"],
        reasoning: WHY,
        contextSnapshot: { arguments: { city: "Tōkyō" } },
        parentSpanId: llm?.id,
      },
    ]);
  });

  it("records a text response", async () => {
    const [sent] = await recordTraces(() =>
      trace("agent", async () => collect(await wrapped.messages.create({ ...ask("hello"), stream: true }))),
    );
    expect(sent?.spans[0]?.output).toEqual([{ type: "text", text: TEXT }]);
  });
});
