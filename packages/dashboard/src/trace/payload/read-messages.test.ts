import { describe, expect, it } from "vitest";
import { parseExactJson } from "../../client/parse-exact-json.ts";
import { omitEarlierMessages } from "./omit-earlier-messages.ts";
import { readMessages } from "./read-messages.ts";

const summarize = (input: unknown, output: unknown) =>
  readMessages(input, output)?.messages.map(
    ({ role, parts }) =>
      `${role}: ${parts.map(({ kind, name, text }) => `${kind}${name ? ` ${name}` : ""} ${text.replace(/\s+/g, " ")}`).join(" | ")}`,
  ) ?? null;

describe("a conversation is read from", () => {
  it("OpenAI chat completions", () => {
    expect(
      summarize(
        {
          model: "gpt",
          messages: [
            { role: "system", content: "Be brief." },
            {
              role: "user",
              content: [
                { type: "text", text: "Look" },
                { type: "image_url", image_url: { url: "https://x.test/a.png" } },
              ],
            },
            {
              role: "assistant",
              content: null,
              tool_calls: [{ id: "1", type: "function", function: { name: "find", arguments: '{"q":1}' } }],
            },
            { role: "tool", tool_call_id: "1", content: "found" },
          ],
        },
        { choices: [{ message: { role: "assistant", content: "Done." } }] },
      ),
    ).toEqual([
      "system: text Be brief.",
      "user: text Look | media image_url https://x.test/a.png",
      'assistant: call find { "q": 1 }',
      "tool: result find found",
      "assistant: text Done.",
    ]);
  });

  it("OpenTelemetry's messages", () => {
    expect(
      summarize(
        {
          system: [{ type: "text", content: "Be brief." }],
          messages: [
            { role: "user", parts: [{ type: "text", content: "Where?" }] },
            { role: "assistant", parts: [{ type: "tool_call", id: "1", name: "find", arguments: { q: 1 } }] },
            { role: "tool", parts: [{ type: "tool_call_response", id: "1", response: "found" }] },
          ],
        },
        [
          {
            role: "assistant",
            parts: [
              { type: "reasoning", content: "Clear." },
              { type: "text", content: "Here." },
            ],
          },
        ],
      ),
    ).toEqual([
      "system: text Be brief.",
      "user: text Where?",
      'assistant: call find { "q": 1 }',
      "tool: result find found",
      "assistant: reasoning Clear. | text Here.",
    ]);
  });

  it("Gemini", () => {
    expect(
      summarize(
        {
          contents: [{ role: "user", parts: [{ text: "Where?" }] }],
          config: { systemInstruction: "Be brief." },
        },
        {
          content: {
            role: "model",
            parts: [{ text: "Hm.", thought: true }, { functionCall: { name: "find", args: { q: 1 } } }],
          },
        },
      ),
    ).toEqual(["system: text Be brief.", "user: text Where?", 'model: reasoning Hm. | call find { "q": 1 }']);
  });

  it("Bedrock and Genkit, whose parts are wrapped", () => {
    const strands = [
      { role: "user", content: [{ text: "Where?" }] },
      {
        role: "assistant",
        content: [
          { reasoning: { text: "Hm." } },
          { toolUse: { name: "find", toolUseId: "1", input: { q: 1 } } },
        ],
      },
      { role: "tool", content: [{ toolResult: { toolUseId: "1", content: [{ text: "found" }] } }] },
    ];
    const genkit = {
      message: {
        role: "model",
        content: [{ reasoning: "Clear." }, { toolRequest: { name: "find", ref: "2", input: {} } }],
      },
    };
    expect(summarize(strands, genkit)).toEqual([
      "user: text Where?",
      'assistant: reasoning Hm. | call find { "q": 1 }',
      "tool: result find found",
      "model: reasoning Clear. | call find {}",
    ]);
  });

  it("OpenAI responses", () => {
    expect(
      summarize(
        {
          instructions: "Be kind.",
          input: [{ role: "user", content: [{ type: "input_text", text: "Hi" }] }],
        },
        {
          output: [
            { type: "reasoning", summary: [{ type: "summary_text", text: "Greets." }] },
            { type: "function_call", name: "wave", arguments: "{}", call_id: "c" },
            { type: "function_call_output", call_id: "c", output: "waved" },
            { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello" }] },
          ],
        },
      ),
    ).toEqual([
      "system: text Be kind.",
      "user: text Hi",
      "assistant: reasoning Greets.",
      "assistant: call wave {}",
      "tool: result wave waved",
      "assistant: text Hello",
    ]);
    expect(summarize({ model: "gpt", input: "Hi" }, { output_text: "Hello" })).toEqual([
      "user: text Hi",
      "assistant: text Hello",
    ]);
  });

  it("Anthropic messages", () => {
    expect(
      summarize(
        {
          system: [{ type: "text", text: "Be true." }],
          messages: [
            { role: "user", content: "Weather?" },
            {
              role: "user",
              content: [
                {
                  type: "tool_result",
                  tool_use_id: "t",
                  content: [{ type: "text", text: "rain" }],
                  is_error: false,
                },
              ],
            },
          ],
        },
        {
          type: "message",
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm." },
            { type: "text", text: "Rain." },
            { type: "tool_use", id: "u", name: "umbrella", input: { n: 1 } },
          ],
        },
      ),
    ).toEqual([
      "system: text Be true.",
      "user: text Weather?",
      "user: result t rain",
      'assistant: reasoning Hm. | text Rain. | call umbrella { "n": 1 }',
    ]);
  });

  it("the Vercel AI SDK's model messages, UI messages and generated text", () => {
    expect(
      summarize(
        {
          system: "Be quick.",
          messages: [
            { role: "user", content: [{ type: "text", text: "Add" }] },
            {
              role: "assistant",
              content: [{ type: "tool-call", toolCallId: "1", toolName: "add", input: { a: 1 } }],
            },
            {
              role: "tool",
              content: [
                { type: "tool-result", toolCallId: "1", toolName: "add", output: { type: "json", value: 2 } },
              ],
            },
          ],
        },
        { text: "2", toolCalls: [], reasoningText: "Easy." },
      ),
    ).toEqual([
      "system: text Be quick.",
      "user: text Add",
      'assistant: call add { "a": 1 }',
      "tool: result add 2",
      "assistant: reasoning Easy. | text 2",
    ]);
    expect(
      summarize(
        [
          {
            id: "m",
            role: "user",
            parts: [
              { type: "text", text: "Hi" },
              { type: "tool-add", toolCallId: "1", state: "output-available", input: 1, output: 2 },
            ],
          },
        ],
        null,
      ),
    ).toEqual(["user: text Hi | call add 1 | result add 2"]);
    expect(summarize({ prompt: '[{"role":"user","content":"As text"}]' }, "ok")).toEqual([
      "user: text As text",
      "assistant: text ok",
    ]);
  });

  it("LangChain's serialized messages", () => {
    const serialized = (name: string, kwargs: object) => ({
      lc: 1,
      type: "constructor",
      id: ["langchain_core", "messages", name],
      kwargs,
    });
    const call = { name: "find", args: { q: 1 }, id: "1", type: "tool_call" };
    expect(
      summarize(
        {
          messages: [
            [
              serialized("SystemMessage", { content: [{ type: "text", text: "Be brief." }] }),
              serialized("HumanMessage", { content: "Where?" }),
              serialized("AIMessageChunk", {
                content: [{ type: "reasoning", reasoning: "Hm." }],
                tool_calls: [call],
              }),
              serialized("ToolMessage", { content: "found", tool_call_id: "1" }),
            ],
          ],
        },
        { generations: [[{ text: "Here.", message: serialized("AIMessage", { content: "Here." }) }]] },
      ),
    ).toEqual([
      "system: text Be brief.",
      "user: text Where?",
      'assistant: reasoning Hm. | call find { "q": 1 }',
      "tool: result find found",
      "assistant: text Here.",
    ]);
  });

  it("the OpenAI Agents SDK, whose answers are lists of responses and whose results are items", () => {
    const result = {
      type: "function_call_result",
      callId: "c",
      name: "find",
      output: { type: "text", text: "found" },
    };
    expect(
      summarize(
        [{ role: "user", content: "Where?" }, result],
        [{ id: "1", choices: [{ message: { role: "assistant", content: "Here." } }] }],
      ),
    ).toEqual(["user: text Where?", "tool: result find found", "assistant: text Here."]);
  });

  it("conversations and parts that were sent as JSON in one text", () => {
    const parts = (text: string) => [{ type: "text", content: text }];
    expect(
      summarize(
        [
          { role: "system", parts: parts('[{"type":"text","text":"Be brief."}]') },
          {
            role: "user",
            parts: parts('[{"role":"user","content":"Where?"},{"role":"assistant","content":"Here."}]'),
          },
        ],
        null,
      ),
    ).toEqual(["system: text Be brief.", "user: text Where?", "assistant: text Here."]);
  });

  it("messages without those that say nothing", () => {
    expect(summarize([{ role: "user", content: "Hi" }], { text: "", toolCalls: [] })).toEqual([
      "user: text Hi",
    ]);
    expect(summarize([{ role: "assistant", parts: [{ type: "reasoningBlock" }] }], null)).toBeNull();
  });

  it("a list with unknown items, which are shown as JSON between the others", () => {
    expect(
      summarize(
        {
          input: [
            { role: "user", content: "Find it" },
            { type: "item_reference", id: "rs_1" },
            "stray text",
            null,
            { type: "computer_call", call_id: "c", action: { type: "click" } },
          ],
        },
        {
          output: [
            { type: "web_search_call", status: "completed" },
            { role: "assistant", content: "Found" },
          ],
        },
      ),
    ).toEqual([
      "user: text Find it",
      'item_reference: data { "type": "item_reference", "id": "rs_1" }',
      "unknown item: text stray text",
      'computer_call: data { "type": "computer_call", "call_id": "c", "action": { "type": "click" } }',
      'web_search_call: data { "type": "web_search_call", "status": "completed" }',
      "assistant: text Found",
    ]);
  });

  it("one side alone, with the other side as JSON", () => {
    expect(summarize({ messages: [{ role: "user", content: "Hi" }] }, { rows: [1] })).toEqual([
      "user: text Hi",
      'output: data { "rows": [ 1 ] }',
    ]);
    expect(summarize({ order: "A" }, { role: "assistant", content: "Hello" })).toEqual([
      'input: data { "order": "A" }',
      "assistant: text Hello",
    ]);
  });

  it("arguments, results and content with their numbers as sent", () => {
    const parsed = parseExactJson(
      '{"messages":[{"role":"user","content":9007199254740993},{"role":"assistant","content":[{"type":"tool_use","name":"pay","input":{"order":9007199254740993,"amount":1.50}}]},{"role":"assistant","tool_calls":[{"function":{"name":"pay","arguments":"{\\"order\\":9007199254740993}"}}]}]}',
    );
    expect(summarize(parsed, null)).toEqual([
      "user: data 9007199254740993",
      'assistant: call pay { "order": 9007199254740993, "amount": 1.50 }',
      'assistant: call pay { "order": 9007199254740993 }',
    ]);
  });

  it("nothing else", () => {
    for (const input of [null, "plain", 5, {}, { order: "A" }, [], [1, 2], [{ a: 1 }], { messages: "none" }])
      expect(summarize(input, { rows: [1] })).toBeNull();
  });
});

describe("a call shows", () => {
  const said = (role: string, ...texts: string[]) => ({
    role,
    parts: texts.map((text) => ({ kind: "text" as const, text })),
  });
  const read = (...messages: ReturnType<typeof said>[]) => ({ messages, outputCount: 1 });
  const previous = [said("system", "Be brief."), said("user", "yes"), said("assistant", '{ "a": 1 }')];

  it("what it sent that the call before had not, and always its answer", () => {
    const answer = said("assistant", "yes");
    const next = read(
      ...previous.slice(0, 2),
      said("assistant", '{"a":1}', "more"),
      said("user", "no"),
      answer,
    );
    expect(omitEarlierMessages(next, [previous])).toEqual({
      messages: [said("assistant", "more"), said("user", "no"), answer],
      earlierCount: 2,
      outputCount: 1,
    });
  });

  it("a text that is said again", () => {
    const next = read(said("user", "yes"), said("user", "yes"), said("assistant", "ok"));
    expect(omitEarlierMessages(next, [previous]).messages).toEqual([
      said("user", "yes"),
      said("assistant", "ok"),
    ]);
  });

  it("nothing of the one call, of several, that has most of its conversation", () => {
    const other = [said("system", "Be kind.")];
    const next = read(...previous, said("assistant", "ok"));
    expect(omitEarlierMessages(next, [other, previous]).earlierCount).toBe(3);
    expect(omitEarlierMessages(next, []).earlierCount).toBe(0);
  });
});

it("says instructions once that are sent beside the messages and as the first of them", () => {
  const text = [{ type: "text", content: "be brief" }];
  const messages = [
    { role: "system", parts: text },
    { role: "user", parts: [{ type: "text", content: "hello" }] },
  ];
  const roles = (input: object) => readMessages(input, null)?.messages.map(({ role }) => role);
  expect(roles({ system: text, messages })).toEqual(["system", "user"]);
  expect(roles({ system: [{ type: "text", content: "be polite" }], messages })).toEqual([
    "system",
    "system",
    "user",
  ]);
});
