import { expect, it } from "vitest";
import { offeredTools, toolsOfRequest } from "./offered-tools.ts";

it.each<[string, unknown]>([
  ["objects", [{ name: "a" }, { type: "function", function: { name: "b" } }]],
  ["JSON texts of objects", ['{"type":"function","name":"a"}', '{"name":"b"}']],
  ["the JSON of a list", '[{"name":"a"},{"toolSpec":{"name":"b"}}]'],
  ["names", ["a", "b"]],
  ["a list with commas", "a, b"],
  ["Gemini's declarations", [{ functionDeclarations: [{ name: "a" }, { name: "b" }] }]],
  [
    "OpenInference's schemas",
    [{ json_schema: '{"name":"a"}' }, { json_schema: '{"function":{"name":"b"}}' }],
  ],
  [
    "Pydantic AI's parameters",
    '{"function_tools":[{"name":"a"}],"output_tools":[{"name":"b"}],"builtin_tools":null}',
  ],
  ["tools of the provider", [{ type: "a" }, { type: "b" }, { type: "b" }]],
])("reads the names of tools from %s", (_, definitions) => {
  expect(offeredTools(definitions)).toEqual(["a", "b"]);
});

it("says nothing where nothing, or only a part, was sent: no tools are not the same as unknown tools", () => {
  for (const nothing of ["", "[]", '[{"name":"a"},{"na', [], null, 7])
    expect(offeredTools(nothing)).toBeUndefined();
});

it("finds the tools in the request to a model", () => {
  const tools = [{ name: "a" }];
  for (const request of [{ tools }, { config: { tools } }, { kwargs: { tools } }, { functions: tools }])
    expect(toolsOfRequest(request)).toEqual(["a"]);
  for (const request of [{ messages: [] }, [], "text", null]) expect(toolsOfRequest(request)).toBeUndefined();
});
