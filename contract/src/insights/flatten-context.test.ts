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
  expect(Object.fromEntries(flattenContext(json))).toEqual(values);
});
