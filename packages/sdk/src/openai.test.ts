import OpenAI from "openai";
import { afterAll, describe, expect, expectTypeOf, it } from "vitest";
import { startProviders } from "../test/providers.ts";
import { collect, plainAndWrapped, recordTraces } from "../test/record-traces.ts";
import { TEXT, WHY } from "../test/turn.ts";
import { trace } from "./index.ts";
import { wrapOpenAI } from "./openai.ts";

const providers = await startProviders();
afterAll(() => providers.close());
const plain = new OpenAI({ apiKey: "sk-test", baseURL: `${providers.url}/v1`, maxRetries: 1 });
const wrapped = wrapOpenAI(plain, {
  prices: { "gpt-test": { input: 2, output: 10 }, gpt: { input: 99, output: 99 } },
});

const tool = (name: string) => ({
  type: "function" as const,
  function: { name, parameters: { type: "object", properties: {} } },
});
const tools = [tool("get_weather"), tool("get_time"), tool("ask_human")];
const ask = (content: string) => ({
  model: "gpt-test",
  messages: [{ role: "user" as const, content }],
  tools,
});
const responseTools = ["get_weather", "get_time"].map((name) => ({
  type: "function" as const,
  name,
  parameters: { type: "object", properties: {} },
  strict: false,
}));
const shown = ({ status, headers, url, ok, redirected, type }: Response) => ({
  status,
  url,
  ok,
  redirected,
  type,
  id: headers.get("x-request-id"),
});

const CALLS: [string, (client: OpenAI) => unknown][] = [
  ["create", (client) => client.chat.completions.create(ask("hello"))],
  ["create with tools called", (client) => client.chat.completions.create(ask("weather"))],
  [
    "create, streamed",
    async (client) => collect(await client.chat.completions.create({ ...ask("hello"), stream: true })),
  ],
  ["the stream helper", (client) => client.chat.completions.stream(ask("weather")).finalChatCompletion()],
  [
    "withResponse",
    async (client) => {
      const { data, response, request_id } = await client.chat.completions
        .create(ask("hello"))
        .withResponse();
      return { data, response: shown(response), request_id };
    },
  ],
  [
    "withResponse, streamed",
    async (client) => {
      const { data, response } = await client.chat.completions
        .create({ ...ask("hello"), stream: true })
        .withResponse();
      return { data: await collect(data), response: shown(response) };
    },
  ],
  [
    "asResponse",
    async (client) => {
      const response = await client.chat.completions.create(ask("hello")).asResponse();
      return { ...shown(response), text: await response.text() };
    },
  ],
  [
    "toReadableStream",
    async (client) => {
      const stream = await client.chat.completions.create({ ...ask("hello"), stream: true });
      return new Response(stream.toReadableStream()).text();
    },
  ],
  [
    "tee",
    async (client) => {
      const [left, right] = (await client.chat.completions.create({ ...ask("hello"), stream: true })).tee();
      return [await collect(left), await collect(right)];
    },
  ],
  ["parse", (client) => client.chat.completions.parse(ask("hello"))],
  [
    "responses.create",
    (client) => client.responses.create({ model: "gpt-test", input: "weather", tools: responseTools }),
  ],
  [
    "responses.create, streamed",
    async (client) =>
      collect(await client.responses.create({ model: "gpt-test", input: "hello", stream: true })),
  ],
  [
    "responses.stream",
    (client) =>
      client.responses.stream({ model: "gpt-test", input: "weather", tools: responseTools }).finalResponse(),
  ],
  ["embeddings", (client) => client.embeddings.create({ model: "e", input: "x", encoding_format: "float" })],
  ["an error", (client) => client.chat.completions.create(ask("fail"))],
  ["an error, streamed", (client) => client.chat.completions.create({ ...ask("fail"), stream: true })],
  [
    "an error as a response",
    async (client) => shown(await client.chat.completions.create(ask("fail")).asResponse()),
  ],
  ["a request that does not call a model", (client) => client.models.list()],
  [
    "a call aborted before it began",
    (client) => client.chat.completions.create(ask("hello"), { signal: AbortSignal.abort() }),
  ],
  [
    "a timeout",
    (client) => client.chat.completions.create({ ...ask("endless") }, { timeout: 30, maxRetries: 0 }),
  ],
  [
    "an unreachable server",
    (client) =>
      client
        .withOptions({ baseURL: "http://127.0.0.1:9/v1", maxRetries: 0 })
        .chat.completions.create(ask("x")),
  ],
];

describe("a wrapped OpenAI client behaves like the plain client", () => {
  it.each(CALLS)("%s", async (_, call) => {
    const { expected, actual } = await plainAndWrapped(call, { plain, wrapped });
    expect(actual).toEqual(expected);
  });

  it("keeps its class and its types", () => {
    expect(wrapped).toBeInstanceOf(OpenAI);
    expectTypeOf(wrapped).toEqualTypeOf<OpenAI>();
    expect(wrapped.baseURL).toBe(plain.baseURL);
  });

  it.each<[string, (client: OpenAI, prompt: string) => Promise<unknown>]>([
    [
      "leaving a loop early",
      async (client, prompt) => {
        for await (const chunk of await client.chat.completions.create({ ...ask(prompt), stream: true }))
          if (chunk.choices[0]?.delta.content) break;
      },
    ],
    [
      "cancelling the body",
      async (client, prompt) => {
        const asked = client.chat.completions.create({ ...ask(prompt), stream: true });
        await (await asked.asResponse()).body?.cancel();
      },
    ],
    [
      "an abort",
      async (client, prompt) => {
        const abort = new AbortController();
        const { signal } = abort;
        const stream = await client.chat.completions.create({ ...ask(prompt), stream: true }, { signal });
        let count = 0;
        for await (const _ of stream) if (++count === 2) abort.abort();
      },
    ],
  ])("passes the cancellation of a stream on to the provider and stops reading: %s", async (how, cancel) => {
    for (const [index, client] of [plain, wrapped].entries()) {
      const prompt = `endless: ${how} ${index}`;
      await recordTraces(() => trace("agent", () => cancel(client, prompt)));
      await expect.poll(() => providers.cancelledStreams.some((asked) => asked.includes(prompt))).toBe(true);
    }
  });
});

describe("a wrapped OpenAI client records", () => {
  it.each<[string, (client: OpenAI) => unknown]>([
    ["chat completions", (client) => client.chat.completions.create(ask("weather"))],
    [
      "streamed chat completions",
      async (client) =>
        collect(
          await client.chat.completions.create({
            ...ask("weather"),
            stream: true,
            stream_options: { include_usage: true },
          }),
        ),
    ],
    ["the stream helper", (client) => client.chat.completions.stream(ask("weather")).finalChatCompletion()],
    [
      "responses",
      (client) =>
        client.responses.create({
          model: "gpt-test",
          input: "weather",
          tools: tools.map(({ function: f }) => ({ type: "function", ...f, strict: false })),
        }),
    ],
    [
      "streamed responses",
      async (client) =>
        collect(
          await client.responses.create({
            model: "gpt-test",
            input: "weather",
            stream: true,
            tools: tools.map(({ function: f }) => ({ type: "function", ...f, strict: false })),
          }),
        ),
    ],
  ])("a span with model, tokens and cost, and the called tool as a decision: %s", async (_, call) => {
    const [sent] = await recordTraces(() => trace("agent", () => call(wrapped)));
    expect(sent).toMatchObject({ name: "agent", totalTokens: 1_200, totalCost: 0.004 });
    const [llm] = sent?.spans ?? [];
    expect(llm).toMatchObject({
      type: "LLM_CALL",
      status: "COMPLETED",
      metadata: { model: "gpt-test-2026" },
    });
    expect(JSON.stringify(llm?.input)).toContain("weather");
    expect(JSON.stringify(llm?.output)).toContain("get_weather");
    expect(sent?.decisionPoints).toMatchObject([
      {
        type: "TOOL_SELECTION",
        chosen: "get_weather",
        alternatives: ["get_time", "ask_human"],
        reasoning: WHY,
        contextSnapshot: { arguments: { city: "Tōkyō" } },
        parentSpanId: llm?.id,
      },
    ]);
  });

  it("the text of a response, even if the network splits characters", async () => {
    const [sent] = await recordTraces(() =>
      trace("agent", async () =>
        collect(await wrapped.chat.completions.create({ ...ask("hello"), stream: true })),
      ),
    );
    expect(sent?.spans[0]?.output).toMatchObject({ content: TEXT });
    expect(sent?.decisionPoints).toEqual([]);
  });

  it("an error, and each retry as a separate span", async () => {
    const [sent] = await recordTraces(() =>
      trace("agent", async () => {
        await wrapped.chat.completions.create(ask("fail")).catch(() => {});
        await wrapped.chat.completions.create(ask("flaky"));
      }),
    );
    expect(sent?.spans.map(({ status, statusMessage }) => [status, statusMessage])).toEqual([
      ["ERROR", "400 bad request"],
      ["ERROR", expect.stringMatching(/^503/)],
      ["COMPLETED", undefined],
    ]);
    expect(sent?.events).toMatchObject([{ type: "RETRY", name: "attempt 2" }]);
  });

  it("no cost for a model without a price, and a new trace for a call outside any trace", async () => {
    const [sent] = await recordTraces(() => wrapOpenAI(plain).chat.completions.create(ask("hello")));
    expect(sent).toMatchObject({ name: "openai chat", totalTokens: 1_200 });
    expect(sent).not.toHaveProperty("totalCost");
    expect(sent?.spans[0]).not.toHaveProperty("costUsd");
  });
});
