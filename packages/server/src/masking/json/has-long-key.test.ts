import { startCpuStopwatch } from "@whytrace/testing/cpu-stopwatch.ts";
import { expect, it } from "vitest";
import { parseJson } from "../../otlp/decode/attribute-value.ts";
import { hasLongKey } from "./has-long-key.ts";
import { isJson } from "./is-json.ts";

const LONG = "x".repeat(17_000);

it("finds a long key, wherever it is, and no long value", () => {
  expect(hasLongKey(JSON.stringify({ [LONG]: 1 }))).toBe(true);
  expect(hasLongKey(JSON.stringify([{ a: LONG, b: { [`"\\${LONG}`]: 1 } }]))).toBe(true);
  expect(hasLongKey(`{"${LONG}"${" ".repeat(100)}: 1}`)).toBe(true);
  expect(hasLongKey(JSON.stringify({ a: LONG, b: [LONG], c: `\\": ${LONG}"` }))).toBe(false);
  expect(hasLongKey(JSON.stringify({ ["x".repeat(10_000)]: LONG }))).toBe(false);
  expect(hasLongKey(`{"${LONG}`)).toBe(false);
});

it("keeps JSON with long keys as text", () => {
  const json = `{${Array.from({ length: 3_000 }, (_, n) => `"${LONG}${10_000 + n}":1`).join()}}`;
  const workedMs = startCpuStopwatch();
  expect(parseJson(json)).toBeUndefined();
  // Parsing takes half a minute.
  expect(workedMs()).toBeLessThan(3_000);
});

it("takes JSON with long keys for a text, also inside of a string", () => {
  expect(isJson(JSON.stringify({ key: LONG }))).toBe(true);
  expect(isJson(JSON.stringify({ [LONG]: 1 }))).toBe(false);
});
