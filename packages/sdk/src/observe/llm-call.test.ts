import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, jsonSchema, type LanguageModel, streamText, tool } from "ai";
import OpenAI from "openai";
import { afterAll, describe, expect, it } from "vitest";
import { startProviders } from "../../test/providers.ts";
import { collect, outcome, recordTraces } from "../../test/record-traces.ts";
import { TEXT, WHY } from "../../test/turn.ts";
import { wrapModel } from "../ai.ts";
import { wrapAnthropic } from "../anthropic.ts";
import { trace } from "../index.ts";
import { whytraceCallbacks } from "../langchain.ts";
import { wrapOpenAI } from "../openai.ts";

/* What every wrapper records, with the real packages against a fake provider. */

const providers = await startProviders();
afterAll(() => providers.close());
const baseURL = `${providers.url}/v1`;
const apiKey = "sk-test";
const price = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 };
const options = { prices: { "gpt-test": price, "claude-test": price } };

const NAMES = ["get_weather", "get_time", "ask_human"];
const parameters = { type: "object" as const, properties: { city: { type: "string" as const } } };
const model = "gpt-test";

const openai = wrapOpenAI(new OpenAI({ apiKey, baseURL, maxRetries: 0 }), options);
const functions = NAMES.map((name) => ({ type: "function" as const, function: { name, parameters } }));
const chatTools = [...functions, { type: "custom" as const, custom: { name: "run_sql" } }];
const chat = (content: string) => ({
  model,
  messages: [{ role: "user" as const, content }],
  tools: chatTools,
});
const responseTools = [
  ...NAMES.map((name) => ({ type: "function" as const, name, parameters, strict: false })),
  { type: "custom" as const, name: "run_sql" },
  { type: "web_search_preview" as const },
];

const anthropic = wrapAnthropic(new Anthropic({ apiKey, baseURL: providers.url, maxRetries: 0 }), options);
const message = (content: string) => ({
  model: "claude-test",
  max_tokens: 100,
  messages: [{ role: "user" as const, content }],
  tools: [
    ...NAMES.map((name) => ({ name, input_schema: parameters })),
    { type: "web_search_20250305" as const, name: "web_search" as const },
  ],
});

const provider = createOpenAI({ apiKey, baseURL });
const generate = (model: LanguageModel, prompt: string, extra = {}) => ({
  model,
  prompt,
  maxRetries: 0,
  tools: {
    ...Object.fromEntries(NAMES.map((name) => [name, tool({ inputSchema: jsonSchema(parameters) })])),
    ...extra,
  },
});
const webSearch = { web_search_preview: provider.tools.webSearchPreview({}) };

const langchain = (fields: object = {}) =>
  new ChatOpenAI({ model, apiKey, maxRetries: 0, configuration: { baseURL }, ...fields });
const langchainOnResponses = () => langchain({ useResponsesApi: true });
const langchainTools = [...functions, { type: "web_search_preview" as const }];
const callbacks = () => ({ callbacks: [whytraceCallbacks(options)] });

type Ask = (prompt: string) => unknown;
const CHAT: [string, Ask][] = [
  ["OpenAI chat", (prompt) => openai.chat.completions.create(chat(prompt))],
  [
    "OpenAI chat, streamed",
    async (prompt) => collect(await openai.chat.completions.create({ ...chat(prompt), stream: true })),
  ],
];
const RESPONSES: [string, Ask][] = [
  ["OpenAI responses", (input) => openai.responses.create({ model, input, tools: responseTools })],
  [
    "OpenAI responses, streamed",
    async (input) =>
      collect(await openai.responses.create({ model, input, tools: responseTools, stream: true })),
  ],
];
const ANTHROPIC: [string, Ask] = ["Anthropic", (prompt) => anthropic.messages.create(message(prompt))];
const ANTHROPIC_STREAM: [string, Ask] = [
  "Anthropic, streamed",
  async (prompt) => collect(await anthropic.messages.create({ ...message(prompt), stream: true })),
];
const AI_CHAT: [string, Ask][] = [
  ["AI SDK", (prompt) => generateText(generate(wrapModel(provider.chat(model), options), prompt))],
  [
    "AI SDK, streamed",
    (prompt) =>
      collect(
        streamText({ ...generate(wrapModel(provider.chat(model), options), prompt), onError: () => {} })
          .fullStream,
      ),
  ],
];
const AI_RESPONSES: [string, Ask][] = [
  [
    "AI SDK on responses",
    (prompt) => generateText(generate(wrapModel(provider.responses(model), options), prompt, webSearch)),
  ],
  [
    "AI SDK on responses, streamed",
    (prompt) =>
      collect(
        streamText({
          ...generate(wrapModel(provider.responses(model), options), prompt, webSearch),
          onError: () => {},
        }).fullStream,
      ),
  ],
];
const LANGCHAIN_CHAT: [string, Ask][] = [
  ["LangChain", (prompt) => langchain().bindTools(functions).invoke(prompt, callbacks())],
  [
    "LangChain, streamed",
    async (prompt) => collect(await langchain().bindTools(functions).stream(prompt, callbacks())),
  ],
];
const LANGCHAIN_ON_RESPONSES: [string, Ask] = [
  "LangChain on responses",
  (prompt) => langchainOnResponses().bindTools(langchainTools).invoke(prompt, callbacks()),
];
const LANGCHAIN_RESPONSES: [string, Ask][] = [
  LANGCHAIN_ON_RESPONSES,
  [
    "LangChain on responses, streamed",
    async (prompt) =>
      collect(await langchainOnResponses().bindTools(langchainTools).stream(prompt, callbacks())),
  ],
];
const ALL = [
  ...CHAT,
  ...RESPONSES,
  ANTHROPIC,
  ANTHROPIC_STREAM,
  ...AI_CHAT,
  ...AI_RESPONSES,
  ...LANGCHAIN_CHAT,
  ...LANGCHAIN_RESPONSES,
];

async function record(ask: Ask, prompt: string) {
  const [sent] = await recordTraces(() => trace("agent", () => outcome(() => ask(prompt))));
  const span = sent?.spans.find(({ type }) => type === "LLM_CALL");
  return { span, decisions: sent?.decisionPoints ?? [], spans: sent?.spans ?? [] };
}

describe("a turn that calls several tools is one decision with every call, in order", () => {
  it.each(ALL)("%s", async (_, ask) => {
    const { span, decisions } = await record(ask, "parallel");
    expect(decisions).toMatchObject([
      {
        type: "TOOL_SELECTION",
        chosen: ["get_weather", "get_weather", "get_time"],
        reasoning: WHY,
        parentSpanId: span?.id,
        contextSnapshot: {
          calls: [
            { name: "get_weather", arguments: { city: "Oslo" } },
            { name: "get_weather", arguments: { city: "Bergen" } },
            { name: "get_time", arguments: { city: "Oslo" } },
          ],
        },
      },
    ]);
    expect(decisions[0]?.alternatives).toContain("ask_human");
    expect(decisions[0]?.alternatives).not.toContain("get_weather");
    expect(decisions[0]?.alternatives).not.toContain("get_time");
  });
});

describe("an error that the provider reports after status 200 fails the span", () => {
  // LangChain does not pass on an error in an unstreamed chat completion or in streamed responses.
  it.each([...CHAT, ...RESPONSES, ANTHROPIC_STREAM, ...LANGCHAIN_CHAT.slice(1), LANGCHAIN_ON_RESPONSES])(
    "with the provider's message: %s",
    async (_, ask) => {
      const { span, decisions } = await record(ask, "broken");
      expect(span).toMatchObject({
        status: "ERROR",
        statusMessage: expect.stringContaining("the model is overloaded"),
      });
      expect(decisions).toEqual([]);
    },
  );

  it.each([...AI_CHAT, ...AI_RESPONSES])("with the message of the AI SDK: %s", async (_, ask) => {
    const { span } = await record(ask, "broken");
    expect(span).toMatchObject({ status: "ERROR", statusMessage: expect.stringMatching(/./) });
  });

  it.each([ANTHROPIC_STREAM, ...CHAT.slice(1), ...RESPONSES.slice(1)])(
    "which keeps what the model had returned: %s",
    async (_, ask) => {
      const { span } = await record(ask, "broken");
      expect(JSON.stringify(span?.output)).toContain(TEXT.slice(0, 9));
    },
  );
});

describe("a response that ran out of tokens is no error, and the reason is recorded", () => {
  it.each(RESPONSES)("%s", async (_, ask) => {
    const { span } = await record(ask, "too long");
    expect(span).toMatchObject({ status: "COMPLETED", metadata: { finishReason: "max_output_tokens" } });
    expect(JSON.stringify(span?.output)).toContain(TEXT);
  });
});

it("a decision is recorded even if the caller stops reading after the tool call", async () => {
  const { decisions } = await record(async (input) => {
    const stream = await openai.responses.create({ model, input, tools: responseTools, stream: true });
    for await (const event of stream)
      if (event.type === "response.output_item.done" && event.item.type === "function_call") break;
  }, "weather");
  expect(decisions).toMatchObject([{ chosen: "get_weather", reasoning: WHY }]);
});

describe("cached and reasoning tokens are recorded, and cached input has its own price", () => {
  it.each(ALL)("%s", async (_, ask) => {
    const { span } = await record(ask, "cached");
    expect(span).toMatchObject({
      status: "COMPLETED",
      tokenCount: 1_200,
      metadata: { inputTokens: 1_000, outputTokens: 200, cacheReadTokens: 600, cacheWriteTokens: 100 },
    });
    expect(span?.metadata).toMatchObject({ reasoningTokens: 150 });
    expect(span?.costUsd).toBeCloseTo(0.00297, 10);
  });

  it("and the span names the price that is missing", async () => {
    const unpriced = wrapOpenAI(new OpenAI({ apiKey, baseURL }), {
      prices: { [model]: { input: 2, output: 10 } },
    });
    const { span } = await record((prompt) => unpriced.chat.completions.create(chat(prompt)), "cached");
    expect(span).not.toHaveProperty("costUsd");
    expect(span?.metadata).toMatchObject({ missingPrice: "cacheRead" });
  });
});

describe("a custom tool is recorded with its text as it is", () => {
  it.each([...CHAT, ...RESPONSES])("%s", async (_, ask) => {
    const { decisions } = await record(ask, "custom");
    expect(decisions).toMatchObject([{ chosen: "run_sql", contextSnapshot: { arguments: "42" } }]);
    expect(decisions[0]?.alternatives).toEqual(expect.arrayContaining(NAMES));
  });
});

describe("a built-in tool counts as chosen, although the provider calls it by another name", () => {
  it.each([...RESPONSES, ...AI_RESPONSES, ...LANGCHAIN_RESPONSES])("%s", async (_, ask) => {
    const { decisions } = await record(ask, "web search");
    expect(decisions).toMatchObject([{ chosen: ["web_search_preview", "get_weather"] }]);
    expect(decisions[0]?.alternatives).not.toContain("web_search_preview");
    expect(decisions[0]?.alternatives).toEqual(expect.arrayContaining(["get_time", "ask_human"]));
  });

  it.each([ANTHROPIC, ANTHROPIC_STREAM])("%s", async (_, ask) => {
    const { decisions } = await record(ask, "web search");
    expect(decisions).toMatchObject([
      { chosen: ["web_search", "get_weather"], alternatives: ["get_time", "ask_human"] },
    ]);
  });
});
