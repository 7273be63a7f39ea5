import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { afterAll, describe, expect, it } from "vitest";
import { startProviders } from "../test/providers.ts";
import { collect, outcome, recordTraces } from "../test/record-traces.ts";
import { TEXT, WHY } from "../test/turn.ts";
import { trace } from "./index.ts";
import { whytraceCallbacks } from "./langchain.ts";

const providers = await startProviders();
afterAll(() => providers.close());
const model = new ChatOpenAI({
  model: "gpt-test",
  apiKey: "sk-test",
  maxRetries: 0,
  configuration: { baseURL: `${providers.url}/v1` },
});
const schema = { type: "object", properties: { city: { type: "string" } } } as const;
const getWeather = tool(async () => "22 degrees", { name: "get_weather", description: "Weather", schema });
const askHuman = tool(async () => "no", { name: "ask_human", description: "Ask", schema });
const prompt = ChatPromptTemplate.fromMessages([
  ["system", "Be brief."],
  ["human", "{question}"],
]);
const chain = prompt.pipe(model).pipe(new StringOutputParser());
const prices = { "gpt-test": { input: 2, output: 10 } };

describe("LangChain callbacks", () => {
  it("do not change what a chain returns, streams or throws", async () => {
    const callbacks = [whytraceCallbacks()];
    const calls: ((config: { callbacks?: typeof callbacks }) => unknown)[] = [
      (config) => chain.invoke({ question: "hello" }, config),
      (config) => chain.invoke({ question: "fail" }, config),
      async (config) => {
        const parts = [];
        for await (const part of await chain.stream({ question: "hello" }, config)) parts.push(part);
        return parts.join("");
      },
      (config) => chain.batch([{ question: "hello" }, { question: "again" }], config),
    ];
    await recordTraces(async () => {
      for (const call of calls)
        expect(await trace("agent", () => outcome(() => call({ callbacks })))).toEqual(
          await outcome(() => call({})),
        );
    });
  });

  it("record a chain, its model calls with tokens and cost, its tools and its decisions, each under its parent", async () => {
    const agent = RunnableLambda.from(async (question: string, config) => {
      const asked = await model.bindTools([getWeather, askHuman]).invoke(question, config);
      const [call] = asked.tool_calls ?? [];
      if (call) await getWeather.invoke({ ...call, type: "tool_call" }, config);
      return chain.invoke({ question: "hello" }, config);
    }).withConfig({ runName: "agent loop" });
    const [sent, ...others] = await recordTraces(() =>
      trace("langchain", () => agent.invoke("weather", { callbacks: [whytraceCallbacks({ prices })] })),
    );
    expect(others).toEqual([]);
    const spans = sent?.spans ?? [];
    const nameOf = (id: string | undefined) => spans.find((one) => one.id === id)?.name;
    const rows = spans.map(({ type, name, parentSpanId }) => [type, name, nameOf(parentSpanId)]);
    expect(rows).toEqual(
      expect.arrayContaining([
        ["CHAIN", "agent loop", undefined],
        ["LLM_CALL", "ChatOpenAI", "agent loop"],
        ["TOOL_CALL", "get_weather", "agent loop"],
        ["CHAIN", "RunnableSequence", "agent loop"],
        ["LLM_CALL", "ChatOpenAI", "RunnableSequence"],
      ]),
    );
    expect(spans.every(({ status }) => status === "COMPLETED")).toBe(true);
    expect(sent).toMatchObject({ totalTokens: 2_400, totalCost: 0.008 });
    const [llm, lastLlm] = spans.filter(({ type }) => type === "LLM_CALL");
    expect(llm).toMatchObject({
      input: [{ role: "human", content: "weather" }],
      metadata: { model: "gpt-test-2026" },
    });
    expect(lastLlm).toMatchObject({ output: { role: "ai", content: TEXT } });
    expect(sent?.decisionPoints).toMatchObject([
      {
        chosen: "get_weather",
        alternatives: ["ask_human"],
        reasoning: WHY,
        contextSnapshot: { arguments: { city: "Tōkyō" } },
        parentSpanId: llm?.id,
      },
    ]);
  });

  it("record the input of a streamed chain", async () => {
    const [sent] = await recordTraces(() =>
      trace("agent", async () =>
        collect(await chain.stream({ question: "hello" }, { callbacks: [whytraceCallbacks()] })),
      ),
    );
    const inputs = sent?.spans.map(({ name, input }) => [name, input]);
    expect(inputs).toContainEqual(["RunnableSequence", { question: "hello" }]);
  });

  it("create a trace for a run outside any trace, and record errors", async () => {
    const sent = await recordTraces(() =>
      outcome(() => chain.invoke({ question: "fail" }, { callbacks: [whytraceCallbacks()] })),
    );
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ name: "RunnableSequence", status: "ERROR" });
    expect(sent[0]?.spans.find(({ type }) => type === "LLM_CALL")).toMatchObject({
      status: "ERROR",
      statusMessage: expect.stringContaining("bad request"),
    });
  });
});
