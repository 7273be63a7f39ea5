import type { MaskingMethod, MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import { describe, expect, it } from "vitest";
import { compileRules } from "./compile-rules.ts";
import { Masker, NOT_CHECKED } from "./masker.ts";
import { type MaskingFailure, MaskingTally } from "./masking-tally.ts";

const KIB = 1_024;

/** A masker of one trace, and what could not be checked. */
function maskerOf(fields: Partial<MaskingRule>) {
  const failures: MaskingFailure[] = [];
  const rule: MaskingRule = {
    name: "letters",
    type: "pattern",
    method: "replace",
    source: "*",
    text: "x".repeat(100),
    ...fields,
  };
  const tally = new MaskingTally((failure) => failures.push(failure));
  const masking = compileRules({
    version: 1,
    level: "off",
    floor: "off",
    rules: [rule],
    key: Buffer.alloc(32, 7),
    tally,
  });
  return { masker: new Masker(masking), failures };
}

const jsonOf = (masker: Masker, value: unknown): string =>
  Buffer.from(masker.json(Buffer.from(JSON.stringify(value)), "input")).toString();

describe("tokens that are longer than what they stand for", () => {
  const letters = "a".repeat(10 * KIB);
  const parts = Array.from({ length: 10 * KIB }, () => "a");

  it.each<[MaskingMethod, unknown]>([
    ["replace", letters],
    ["hash", letters],
    ["replace", parts],
    ["replace", { text: JSON.stringify(parts) }],
    ["replace", Object.fromEntries(parts.map((part, index) => [`${part.repeat(20)}${index}`, 1]))],
  ])("do not make a value many times as long: by %s, in case %#", (method, value) => {
    const { masker, failures } = maskerOf({ pattern: "a", method });
    expect(jsonOf(masker, value)).toBe(JSON.stringify(NOT_CHECKED));
    expect(failures).toMatchObject([{ error: "TokensTooLong", rule: { name: "letters" } }]);
  });

  it("do not either if they stand for whole values, in a text, or in a value of OpenTelemetry", () => {
    const whole = maskerOf({ type: "anything", source: "input.*" });
    expect(jsonOf(whole.masker, parts)).toBe(JSON.stringify(NOT_CHECKED));
    expect(whole.masker.value(parts, "input")).toBe(NOT_CHECKED);
    const { masker } = maskerOf({ pattern: "a" });
    expect(masker.text(letters, "names")).toBe(NOT_CHECKED);
    expect(masker.identifier(letters, "session")).toBe(NOT_CHECKED);
    expect(masker.value(letters, "input")).toBe(NOT_CHECKED);
    expect(masker.value({ parts }, "metadata")).toBe(NOT_CHECKED);
  });

  it("count again where a value repeats the one before it", () => {
    const { masker } = maskerOf({ pattern: "a" });
    masker.json(Buffer.from(JSON.stringify("b".repeat(100 * KIB))), "input");
    const sent = Array.from({ length: 20 }, (_, index) => [
      letters.slice(0, 4 * KIB),
      "b".repeat(KIB),
      index,
    ]);
    const stored = sent.reduce((sum, value) => sum + jsonOf(masker, value).length, 0);
    expect(stored).toBeLessThan(9 * (JSON.stringify(sent).length + 101 * KIB));
  });

  it("are as many as needed in usual values, and in short ones", () => {
    const { masker, failures } = maskerOf({ pattern: "\\d+", method: "hash" });
    for (let round = 0; round < 5; round += 1) {
      const numbers = Array.from({ length: 2 * KIB }, (_, index) => `No. ${1_000 + index}`);
      expect(jsonOf(masker, numbers).length).toBeGreaterThan(20 * 2 * KIB);
    }
    expect(masker.text("7", "names")).toMatch(/^\[letters:\w+\]$/);
    const short = maskerOf({ pattern: "a" });
    expect(short.masker.text("a banana", "names")).toHaveLength(4 * 100 + 4);
    expect([...failures, ...short.failures]).toEqual([]);
  });

  it("are not made for more matches than there is memory for, by one rule or by many", () => {
    const { masker, failures } = maskerOf({ pattern: "a", method: "remove" });
    expect(masker.text("a".repeat(KIB * KIB), "input")).toBe(NOT_CHECKED);
    expect(masker.text("a".repeat(8 * KIB), "input")).toBe("");
    const text = `${"a".repeat(10)} ${"b".repeat(40)} `.repeat(4 * KIB);
    expect(masker.text(text, "input")).toHaveLength(42 * 4 * KIB);
    expect(failures).toMatchObject([{ error: "TooManyMatches", rule: { name: "letters" } }]);
    const rules = Array.from(
      { length: 20 },
      (_, index): MaskingRule => ({
        name: `rule ${index}`,
        type: "pattern",
        method: "remove",
        source: "*",
        pattern: "a",
      }),
    );
    const many = compileRules({ version: 1, level: "off", floor: "off", rules, key: Buffer.alloc(32, 7) });
    expect(new Masker(many).text(text, "input")).toBe(NOT_CHECKED);
  });

  it("do not keep the next value from being checked", () => {
    const { masker } = maskerOf({ pattern: "a" });
    expect(masker.text(letters, "names")).toBe(NOT_CHECKED);
    expect(masker.text("a", "names")).toHaveLength(100);
  });
});
