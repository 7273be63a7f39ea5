import { describe, expect, it } from "vitest";
import { answerText, requestText } from "./request-text.ts";

const ofInput = (value: unknown) => requestText(JSON.stringify(value), "any value");

describe("what an agent answered is", () => {
  it.each([
    ["a text", "Done.", "Done."],
    [
      "the last message of the model",
      [
        { role: "assistant", parts: [{ type: "text", content: "Wait." }] },
        { role: "user", parts: [{ type: "text", content: "Ok" }] },
        { role: "assistant", parts: [{ type: "text", content: "Done." }] },
      ],
      "Done.",
    ],
    [
      "in the choices of a response",
      { choices: [{ message: { role: "assistant", content: "Done." } }] },
      "Done.",
    ],
    [
      "in LangChain's generations",
      { generations: [[{ message: { id: ["AIMessage"], kwargs: { content: "Done." } } }]] },
      "Done.",
    ],
    ["any other value as JSON", { sent: 3 }, '{"sent":3}'],
  ])("%s", (_case, output, text) => expect(answerText(JSON.stringify(output))).toBe(text));
});

describe("what an agent was asked is", () => {
  it.each([
    ["a text", "Where is my\n  order?", "Where is my order?"],
    [
      "the user's first message",
      {
        model: "gpt",
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: [{ type: "text", text: "Refund me" }] },
          { role: "user", content: "Now" },
        ],
      },
      "Refund me",
    ],
    ["a named field", { customer: "cus_1", message: "Hello", channel: "chat" }, "Hello"],
    ["inside JSON in a text", { prompt: '[{"role":"user","parts":[{"text":"Hi"}]}]' }, "Hi"],
    [
      "LangChain's first message of a person",
      {
        messages: [
          [
            { lc: 1, id: ["messages", "SystemMessage"], kwargs: { content: "Be brief." } },
            { lc: 1, id: ["messages", "HumanMessage"], kwargs: { content: "Where?" } },
          ],
        ],
      },
      "Where?",
    ],
    ["any other value as JSON", { path: "a.ts", line: 3 }, '{"path":"a.ts","line":3}'],
    ["a number", 42, "42"],
  ])("%s", (_case, input, text) => expect(ofInput(input)).toBe(text));

  it.each([[null], [""], [{}], [[]]])("nothing for %j", (input) => expect(ofInput(input)).toBeNull());

  it("one line of at most 200 characters, also from a text that was cut off", () => {
    const system = { role: "system", content: "x".repeat(500) };
    const json = JSON.stringify({ messages: [system, { role: "user", content: "😀".repeat(5_000) }] });
    expect(requestText(json.slice(0, 2_000), "any value")).toBe(`${"😀".repeat(200)}…`);
    expect(requestText(json.slice(0, 300), "any value")?.length).toBeLessThanOrEqual(201);
  });

  it("in metadata only a named field", () => {
    expect(requestText('{"question":"Why?"}', "named value")).toBe("Why?");
    expect(requestText('{"release":"1.2"}', "named value")).toBeNull();
    expect(requestText(null, "named value")).toBeNull();
  });
});
