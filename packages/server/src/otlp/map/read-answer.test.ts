import { startCpuStopwatch } from "@whytrace/testing/cpu-stopwatch.ts";
import { describe, expect, it } from "vitest";
import { readAnswer } from "./read-answer.ts";

const LOOKUP = { name: "lookup", arguments: { id: 7 } };

describe("the calls of an answer", () => {
  it.each<[string, unknown]>([
    [
      "OpenAI chat completions",
      {
        choices: [
          {
            message: {
              role: "assistant",
              content: null,
              tool_calls: [
                { id: "1", type: "function", function: { name: "lookup", arguments: '{"id":7}' } },
              ],
            },
          },
        ],
      },
    ],
    [
      "OpenAI responses",
      {
        output: [{ type: "function_call", id: "fc", call_id: "1", name: "lookup", arguments: '{"id":7}' }],
        tools: [{ type: "function", name: "refund" }],
      },
    ],
    ["OpenAI's functions", { message: { function_call: { name: "lookup", arguments: '{"id":7}' } } }],
    ["Anthropic", { content: [{ type: "tool_use", id: "1", name: "lookup", input: { id: 7 } }] }],
    [
      "Gemini",
      { candidates: [{ content: { parts: [{ functionCall: { name: "lookup", args: { id: 7 } } }] } }] },
    ],
    [
      "Bedrock",
      {
        output: { message: { content: [{ toolUse: { toolUseId: "1", name: "lookup", input: { id: 7 } } }] } },
      },
    ],
    [
      "LangChain",
      {
        generations: [
          [
            {
              message: {
                kwargs: {
                  additional_kwargs: {
                    tool_calls: [{ id: "1", function: { name: "lookup", arguments: '{"id":7}' } }],
                  },
                  tool_calls: [{ type: "tool_call", id: "1", name: "lookup", args: { id: 7 } }],
                },
              },
            },
          ],
        ],
      },
    ],
    [
      "Genkit",
      {
        message: { content: [{ toolRequest: { name: "lookup", ref: "1", input: { id: 7 } } }] },
        request: { messages: [{ toolRequest: { name: "old" } }] },
      },
    ],
    ["the AI SDK", [{ type: "tool-call", toolCallId: "1", toolName: "lookup", input: '{"id":7}' }]],
    [
      "OpenTelemetry",
      [{ role: "assistant", parts: [{ type: "tool_call", id: "1", name: "lookup", arguments: { id: 7 } }] }],
    ],
    [
      "OpenTelemetry with a version",
      { version: "1", messages: [{ parts: [{ type: "tool_call", name: "lookup", arguments: '{"id":7}' }] }] },
    ],
    [
      "OpenInference",
      [
        {
          tool_calls: [{ id: "1", function: { name: "lookup", arguments: '{"id":7}' } }],
          contents: [{ type: "tool_use", id: "1", function: { name: "lookup", arguments: '{"id":7}' } }],
        },
      ],
    ],
    [
      "OpenLLMetry's flattened messages",
      [{ role: "assistant", tool_calls: [{ id: "1", name: "lookup", arguments: '{"id":7}' }] }],
    ],
    ["JSON text", '{"tool_calls":[{"function":{"name":"lookup","arguments":"{\\"id\\":7}"}}]}'],
  ])("are read in the format of %s", (_, response) => {
    expect(readAnswer(response).calls).toEqual([LOOKUP]);
  });

  it("are told apart by their ids, and by their content where they have none", () => {
    const call = (id?: string) => ({ type: "tool_call", id, ...LOOKUP });
    expect(readAnswer([call("1"), call("2"), call("1")]).calls).toHaveLength(2);
    expect(readAnswer([call(), call()]).calls).toHaveLength(1);
    expect(readAnswer([call("1"), call()]).calls).toHaveLength(1);
    expect(readAnswer([call(), call("1")]).calls).toHaveLength(1);
  });

  it("have their arguments as text where those are no JSON, and an empty object where they have none", () => {
    const withArguments = (given: unknown) =>
      readAnswer([{ type: "tool_call", name: "t", arguments: given }]).calls[0]?.arguments;
    expect(withArguments('{"id":')).toBe('{"id":');
    expect(withArguments("")).toEqual({});
    expect(withArguments(undefined)).toEqual({});
  });

  it("are not the results of tools", () => {
    const results = [
      { type: "tool-result", toolName: "lookup", toolCallId: "1", output: {} },
      { type: "function_call_output", call_id: "1", name: "lookup" },
      { type: "tool_call_response", id: "1", name: "lookup" },
      { role: "tool", name: "lookup", tool_calls: [{ function: { name: "x" } }] },
    ];
    expect(readAnswer(results).calls).toEqual([]);
  });

  it("are found in deep JSON up to a depth, and not more than a model calls", () => {
    let deep: unknown = { type: "tool_call", ...LOOKUP };
    for (let depth = 0; depth < 200; depth++) deep = [deep];
    expect(readAnswer(deep).calls).toEqual([]);
    const many = Array.from({ length: 5_000 }, (_, id) => ({ type: "tool_call", id: String(id), ...LOOKUP }));
    expect(readAnswer(many).calls).toHaveLength(1_000);
  });
});

describe("the reasoning of an answer", () => {
  it.each<[string, unknown]>([
    ["reasoning_content", { message: { reasoning_content: "Because." } }],
    ["a reasoning part", [{ type: "reasoning", content: "Because." }]],
    ["a summary", { output: [{ type: "reasoning", summary: [{ type: "summary_text", text: "Because." }] }] }],
    ["a thinking part", { content: [{ type: "thinking", thinking: "Because.", signature: "x" }] }],
    ["a thought", { parts: [{ text: "Because.", thought: true }] }],
    ["Genkit's reasoning", { content: [{ reasoning: "Because." }] }],
    ["Bedrock's reasoning", { content: [{ reasoningContent: { reasoningText: { text: "Because." } } }] }],
  ])("is read from %s", (_, response) => {
    expect(readAnswer(response).reasoning).toBe("Because.");
  });

  it("is not the setting of the same name", () => {
    expect(readAnswer({ reasoning: { effort: "low", summary: "auto" } }).reasoning).toBeUndefined();
    expect(readAnswer([{ type: "reasoningBlock" }]).reasoning).toBeUndefined();
  });

  it("counts once where it is said twice", () => {
    const twice = [
      { type: "reasoning", text: "A" },
      { type: "reasoning", text: "A" },
      { type: "reasoning", text: "B" },
    ];
    expect(readAnswer(twice).reasoning).toBe("A\n\nB");
  });
});

it("has the text that is said beside the calls", () => {
  expect(readAnswer({ choices: [{ message: { role: "assistant", content: "Let me see." } }] }).text).toBe(
    "Let me see.",
  );
  expect(readAnswer([{ type: "text", text: "Let me see." }]).text).toBe("Let me see.");
  expect(readAnswer([{ role: "assistant", parts: [{ type: "text", content: "" }] }]).text).toBeUndefined();
  expect(readAnswer("plain").text).toBeUndefined();
});

it("takes time in proportion to an answer, also of long texts and arguments of one length", () => {
  const long = (n: number) => "x".repeat(17_000) + (10_000 + n);
  const numbers = Array.from({ length: 3_000 }, (_, n) => n);
  const answer = [
    ...numbers.map((n) => ({ type: "text", text: long(n) })),
    ...numbers.map((n) => ({ type: "tool_call", id: long(n), name: long(n), arguments: { a: long(n) } })),
  ];
  const workedMs = startCpuStopwatch();
  const { calls, text } = readAnswer(answer);
  // Without a bound, it takes a minute.
  expect(workedMs()).toBeLessThan(5_000);
  expect(calls).toHaveLength(1_000);
  expect(calls[0]?.name).toBe("x".repeat(1_024));
  expect(text?.length).toBeGreaterThan(1_048_576);
  expect(text?.length).toBeLessThan(1_100_000);
});
