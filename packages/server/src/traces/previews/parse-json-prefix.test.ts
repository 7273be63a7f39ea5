import { expect, it } from "vitest";
import { parseJsonPrefix } from "./parse-json-prefix.ts";

it.each([
  ['{"a":1,"b":[true]}', { a: 1, b: [true] }],
  ['"Where is my or', "Where is my or"],
  ['"tab \\', "tab "],
  ['"smile \\ud83d\\ude', "smile \ud83d"],
  ['{"messages":[{"role":"user","content":"Wher', { messages: [{ role: "user", content: "Wher" }] }],
  ['{"a":1,"b', { a: 1 }],
  ['{"a":1,"b":', { a: 1 }],
  ['{"a":1,"b":tru', { a: 1 }],
  ["[1,2,-", [1, 2]],
  ['{"a":{"b":[1,{"c"', { a: { b: [1, {}] } }],
  ["{", {}],
  ["", undefined],
  ["nul", undefined],
])("%s is read as far as it goes", (text, value) => expect(parseJsonPrefix(text)).toEqual(value));

it("never fails, wherever a text ends", () => {
  const text = JSON.stringify({
    'a"\\': ["\n\u2028😀", { b: [null, true, -1.5e-7, { c: {} }] }],
    d: "}]{[,",
  });
  for (let length = 1; length <= text.length; length++)
    expect(parseJsonPrefix(text.slice(0, length)), text.slice(0, length)).toBeDefined();
});
