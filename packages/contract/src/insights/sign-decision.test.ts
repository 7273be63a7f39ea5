import { randomDecidedTraces } from "@whytrace/testing/samples/random-decided-traces.ts";
import { volume } from "@whytrace/testing/volume.ts";
import { expect, it } from "vitest";
import { RawJson } from "../traces/raw-json.ts";
import { signDecision } from "./sign-decision.ts";

const RUNS = volume(2_000);

const sign = (type: string, chosen: unknown, alternatives: unknown) =>
  signDecision({ type, chosen, alternatives });
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value, undefined, " "));
const raw = (value: unknown) => new RawJson(bytes(value), 0, bytes(value).length);

it("has one signature for a type and a set of options, whichever was chosen and in any order", () => {
  const { signature, step, options } = sign("ROUTING", "a", ["b", "c"]);
  expect(options).toEqual(["a", "b", "c"]);
  expect(sign("ROUTING", "c", [{ name: "a" }, "b", "b"]).signature).toBe(signature);
  expect(sign("ROUTING", "c", ["a", "b"]).step).not.toBe(step);
  expect(sign("ROUTING", "a", ["c", "b"])).toEqual(sign("ROUTING", "a", ["b", "c"]));
});

it("has another signature for another type or set of options", () => {
  const { signature } = sign("ROUTING", "a", ["b"]);
  expect(sign("RETRY", "a", ["b"]).signature).not.toBe(signature);
  expect(sign("ROUTING", "a", ["b", "c"]).signature).not.toBe(signature);
  expect(sign("ROUTING", "a", []).signature).not.toBe(signature);
});

it("keeps its numbers: stored facts depend on them", () => {
  expect(sign("TOOL_SELECTION", { tool: "search" }, [{ tool: "cache" }])).toEqual({
    option: "search",
    options: ["cache", "search"],
    signature: 3_037_050_360_696_113,
    step: 4_111_755_449,
  });
});

it("is the same for the bytes that were sent and for their value", () => {
  for (const { decisionPoints } of randomDecidedTraces(2, RUNS))
    for (const { type, chosen, alternatives } of decisionPoints) {
      const expected = sign(type, chosen, alternatives);
      expect(sign(type, raw(chosen), raw(alternatives))).toEqual(expected);
      expect(sign(type, bytes(chosen), bytes(alternatives))).toEqual(expected);
    }
});

it("does not read values of more than 32 KB, nor more than 64 options", () => {
  const long = "é".repeat(17_000);
  expect(sign("ROUTING", long, ["a"]).options).toEqual(["(long)", "a"]);
  expect(sign("ROUTING", bytes(long), ["a"]).options).toEqual(["(long)", "a"]);
  expect(sign("ROUTING", "a", [long, "b"]).options).toEqual(["(many)", "a"]);
  expect(sign("ROUTING", "a", bytes([long, "b"])).options).toEqual(["(many)", "a"]);
  // Nothing is parsed, so this does not fail.
  expect(sign("ROUTING", "a", new Uint8Array(40_000)).options).toEqual(["(many)", "a"]);
  const names = Array.from({ length: 70 }, (_, index) => `option ${index}`);
  expect(sign("ROUTING", "a", names).options).toHaveLength(65);
});
