import { describe, expect, it } from "vitest";
import { requestText } from "./request-text.ts";

const ofInput = (value: unknown) => requestText(JSON.stringify(value), "any value");

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
