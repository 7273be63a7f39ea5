import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, jsonSchema, type LanguageModel, streamText, tool } from "ai";
import { afterAll, describe, expect, expectTypeOf, it } from "vitest";
import { startProviders } from "../test/providers.ts";
import { outcome, plainAndWrapped, recordTraces } from "../test/record-traces.ts";
import { TEXT, WHY } from "../test/turn.ts";
import { wrapModel, wrapTools } from "./ai.ts";
import { trace } from "./index.ts";

const providers = await startProviders();
afterAll(() => providers.close());
const openai = createOpenAI({ apiKey: "sk-test", baseURL: `${providers.url}/v1` });
const plain = openai.chat("gpt-test");
const wrapped = wrapModel(plain, { prices: { "gpt-test": { input: 2, output: 10 } } });

const city = jsonSchema<{ city: string }>({ type: "object", properties: { city: { type: "string" } } });
const tools = {
  get_weather: tool({ inputSchema: city, execute: async ({ city }) => `${city}: 22 degrees` }),
  ask_human: tool({ inputSchema: city, execute: async () => "nobody is there" }),
};
const observedTools = wrapTools(tools);
type Setting = { model: LanguageModel; tools: typeof tools };

const CALLS: [string, (setting: Setting) => unknown][] = [
  ["generateText", async ({ model }) => (await generateText({ model, prompt: "hello" })).text],
  [
    "generateText with tools",
    async (setting) => {
      const { text, steps, totalUsage } = await generateText({
        ...setting,
        prompt: "weather",
        stopWhen: isStepCount(3),
      });
      return {
        text,
        totalUsage,
        steps: steps.map(({ toolCalls, toolResults }) => ({ toolCalls, toolResults })),
      };
    },
  ],
  [
    "streamText",
    async ({ model }) => {
      const result = streamText({ model, prompt: "hello" });
      const parts = [];
      for await (const part of result.textStream) parts.push(part);
      return { parts, usage: await result.totalUsage };
    },
  ],
  [
    "streamText with tools",
    async (setting) => {
      const result = streamText({ ...setting, prompt: "weather", stopWhen: isStepCount(3) });
      return { text: await result.text, calls: (await result.steps).flatMap(({ toolCalls }) => toolCalls) };
    },
  ],
  ["an error", ({ model }) => generateText({ model, prompt: "fail", maxRetries: 0 })],
  [
    "an abort",
    ({ model }) => generateText({ model, prompt: "hello", abortSignal: AbortSignal.abort(), maxRetries: 0 }),
  ],
];

describe("a wrapped model of the AI SDK", () => {
  it.each(CALLS)("behaves like the plain model: %s", async (_, call) => {
    const { expected, actual } = await plainAndWrapped(call, {
      plain: { model: plain, tools },
      wrapped: { model: wrapped, tools: observedTools },
    });
    expect(actual).toEqual(expected);
  });

  it("keeps its type, as do wrapped tools", () => {
    expectTypeOf(wrapped).toEqualTypeOf(plain);
    expectTypeOf(observedTools).toEqualTypeOf(tools);
    expect([wrapped.modelId, wrapped.provider, wrapped.specificationVersion]).toEqual([
      plain.modelId,
      plain.provider,
      plain.specificationVersion,
    ]);
  });

  it.each<[string, (setting: Setting) => PromiseLike<unknown>]>([
    ["generateText", (setting) => generateText({ ...setting, prompt: "weather", stopWhen: isStepCount(3) })],
    ["streamText", (setting) => streamText({ ...setting, prompt: "weather", stopWhen: isStepCount(3) }).text],
  ])("records each step, each tool execution and each decision: %s", async (_, call) => {
    const [sent] = await recordTraces(() =>
      trace("agent", () => call({ model: wrapped, tools: observedTools })),
    );
    expect(sent?.spans.map(({ type, name, status }) => [type, name, status])).toEqual([
      ["LLM_CALL", "openai.chat", "COMPLETED"],
      ["TOOL_CALL", "get_weather", "COMPLETED"],
      ["LLM_CALL", "openai.chat", "COMPLETED"],
    ]);
    expect(sent).toMatchObject({ totalTokens: 2_400, totalCost: 0.008 });
    expect(sent?.spans[0]).toMatchObject({
      metadata: { model: "gpt-test-2026", tools: ["get_weather", "ask_human"] },
    });
    expect(sent?.spans[1]).toMatchObject({ input: { city: "Tōkyō" }, output: "Tōkyō: 22 degrees" });
    expect(JSON.stringify(sent?.spans[2]?.output)).toContain(TEXT);
    expect(sent?.decisionPoints).toMatchObject([
      {
        chosen: "get_weather",
        alternatives: ["ask_human"],
        reasoning: WHY,
        contextSnapshot: { arguments: { city: "Tōkyō" } },
        parentSpanId: sent?.spans[0]?.id,
      },
    ]);
  });

  it("records an error", async () => {
    const [sent] = await recordTraces(() =>
      trace("agent", () => outcome(() => generateText({ model: wrapped, prompt: "fail", maxRetries: 0 }))),
    );
    expect(sent?.spans).toMatchObject([{ status: "ERROR", statusMessage: "bad request" }]);
  });
});
