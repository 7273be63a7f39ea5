import { expect, it } from "vitest";
import { flattenContext } from "./flatten-context.ts";

it.each([
  ['{"order":{"id":"A-1","total":84.50}}', { "order.id": '"A-1"', "order.total": "84.50" }],
  ['{"id":12345678901234567890}', { id: "12345678901234567890" }],
  ['{"tags":["a","b"],"none":[],"nothing":{}}', { tags: '["a", "b"]', none: "[]", nothing: "{}" }],
  ['{"orders":[{"id":1},{"id":null}]}', { "orders.0.id": "1", "orders.1.id": "null" }],
  ['{"__proto__":{"isAdmin":true}}', { "__proto__.isAdmin": "true" }],
  ['"just a text"', { "": '"just a text"' }],
  ["null", {}],
  ["{", {}],
  [null, {}],
])("returns the values of %s by their paths, as they were sent", (json, values) => {
  expect(Object.fromEntries(flattenContext(json).values)).toEqual(values);
});

it("shortens long paths, and still tells them apart", () => {
  const key = "k".repeat(17_000);
  const { values } = flattenContext(JSON.stringify({ [`${key}a`]: { x: 1, y: 2 }, [`${key}b`]: { x: 3 } }));
  expect([...values.values()]).toEqual(["1", "2", "3"]);
  for (const path of values.keys()) expect(path.length).toBeLessThan(1_024);
});
