import { expect, it } from "vitest";
import { optionName } from "./option-name.ts";

it.each([
  ["search_docs", "search_docs"],
  [{ to: "billing", route: "sales", id: "r1" }, "r1"],
  [{ city: "Oslo" }, '{"city":"Oslo"}'],
  [["get_weather", "get_weather", "get_time"], "get_weather ×2 + get_time"],
  [[{ name: "get_weather", arguments: {} }, { tool: "get_time" }], "get_weather + get_time"],
  [["get_weather"], "get_weather"],
  [["get_weather", 7], '["get_weather",7]'],
  [[["a"], "b"], '[["a"],"b"]'],
  [[], "[]"],
  [null, "null"],
  [undefined, ""],
])("names an option so that people recognise it: %j", (option, name) => {
  expect(optionName(option)).toBe(name);
});
