import { expect, it } from "vitest";
import { readTool } from "./read-tool.ts";

const found = { status: "shipped" };
const pretty = JSON.stringify(found, null, 2);

it.each([
  ["plain values", "A-1", found, "A-1", pretty],
  ["JSON in a text", '{"id":1}', JSON.stringify(found), '{\n  "id": 1\n}', pretty],
  ["the arguments of a function", { args: [], kwargs: { id: 1 } }, null, '{\n  "id": 1\n}', ""],
  ["its only argument", { args: ['{"id":1}'] }, null, '{\n  "id": 1\n}', ""],
  [
    "a message of LangChain",
    null,
    { output: { lc: 1, id: ["messages", "ToolMessage"], kwargs: { content: JSON.stringify(found) } } },
    "",
    pretty,
  ],
  ["parts of text", null, [{ type: "text", text: "found" }], "", "found"],
  ["parts of JSON", null, [{ json: found }], "", pretty],
  [
    "a message of OpenTelemetry",
    null,
    [{ role: "tool", parts: [{ type: "tool_call_response", id: "1", response: "503" }] }],
    "",
    "503",
  ],
])("reads the arguments and the result of a tool from %s", (_case, input, output, args, result) =>
  expect(readTool(input, output)).toEqual({ input: args, output: result }),
);
