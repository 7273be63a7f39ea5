import { expect, it } from "vitest";
import { optionKey } from "./option-key.ts";

it.each([
  ["search", "search"],
  [{ name: "refund_api", arguments: { order: 4711 } }, "refund_api"],
  [["get_weather", "get_weather"], "get_weather ×2"],
  [{ b: [{ d: 1, c: 2 }], a: true }, '{"a":true,"b":[{"c":2,"d":1}]}'],
  [{ order: 4711 }, '{"order":#}'],
  [7, "7"],
  [null, "null"],
  [undefined, ""],
])("is the option's name, or its JSON with sorted keys: %j", (option, key) => {
  expect(optionKey(option)).toBe(key);
});

it("reads a deeply nested option without exhausting the stack", () => {
  let option: unknown = 1;
  for (let depth = 0; depth < 100_000; depth++) option = [option];
  expect(optionKey({ option })).toMatch(/^\{"option":\[+…\]+\}$/);
});
