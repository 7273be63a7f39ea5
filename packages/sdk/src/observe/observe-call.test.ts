import { setTimeout as sleep } from "node:timers/promises";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { afterAll, describe, expect, it } from "vitest";
import { startProviders } from "../../test/providers.ts";
import { collect, outcome, recordTraces } from "../../test/record-traces.ts";
import { wrapModel, wrapTools } from "../ai.ts";
import { span, trace } from "../index.ts";
import { observeCall } from "./observe-call.ts";

async function* count(): AsyncGenerator<number> {
  yield 1;
  await span("inner", () => sleep(1));
  yield 2;
}

describe("an observed call", () => {
  it.each([
    ["a value", () => 7, 7],
    ["undefined", () => undefined, undefined],
    ["an error", () => Promise.reject(new TypeError("no")), undefined],
  ])("returns what the function returns: %s", async (_, run, output) => {
    const expected = await outcome(run);
    const [sent] = await recordTraces(() =>
      trace("t", async () => expect(await outcome(() => observeCall("call", {}, run))).toEqual(expected)),
    );
    expect(sent?.spans[0]?.output).toEqual(output);
    if (typeof output === "number") expect(observeCall("call", {}, run)).toBe(output);
  });

  it("returns an async iterable, records its last item, and records nested spans below it", async () => {
    const [sent] = await recordTraces(async () => {
      const items = await trace("t", () => ({ items: observeCall("call", {}, () => count()) }));
      expect(await collect(items.items as AsyncIterable<number>)).toEqual([1, 2]);
    });
    expect(sent).toMatchObject({
      status: "COMPLETED",
      spans: [
        { name: "call", status: "COMPLETED", output: 2 },
        { name: "inner", parentSpanId: sent?.spans[0]?.id },
      ],
    });
  });

  it("passes on that the caller stopped reading", async () => {
    let isClosed = false;
    async function* endless() {
      try {
        while (true) yield "on";
      } finally {
        isClosed = true;
      }
    }
    const [sent] = await recordTraces(() =>
      trace("t", async () => {
        for await (const _ of observeCall("call", {}, endless) as AsyncIterable<string>) break;
      }),
    );
    expect(isClosed).toBe(true);
    expect(sent?.spans).toMatchObject([{ status: "COMPLETED", statusMessage: "the caller stopped reading" }]);
  });
});

describe("a wrapped tool of the AI SDK", async () => {
  const providers = await startProviders();
  afterAll(() => providers.close());
  const model = wrapModel(
    createOpenAI({ apiKey: "sk-test", baseURL: `${providers.url}/v1` }).chat("gpt-test"),
  );
  const inputSchema = jsonSchema<{ city: string }>({ type: "object" });
  async function* report({ city }: { city: string }) {
    yield "looking it up";
    yield `${city}: 22 degrees`;
  }

  it.each([
    ["a generator", tool({ inputSchema, execute: report })],
    ["a function that returns an async iterable", tool({ inputSchema, execute: (input) => report(input) })],
  ])("may be %s", async (_, get_weather) => {
    const [sent] = await recordTraces(() =>
      trace("t", async () => {
        const tools = wrapTools({ get_weather });
        const { steps } = await generateText({ model, tools, prompt: "weather", stopWhen: isStepCount(3) });
        expect(steps[0]?.toolResults).toMatchObject([{ output: "Tōkyō: 22 degrees" }]);
      }),
    );
    expect(sent?.spans[1]).toMatchObject({ type: "TOOL_CALL", output: "Tōkyō: 22 degrees" });
  });
});
