import { Random } from "@whytrace/demo";
import { describe, expect, it } from "vitest";
import { compileRules } from "../compile-rules.ts";
import { findMatches } from "../find-matches.ts";
import { compilePattern } from "./own-pattern.ts";

const MIB = 1_048_576;
const KEY = Buffer.alloc(32, 7);

/** Matches a pattern in texts of one workspace. Returns how many matches each has, or null if it was not checked in time. */
function matcherOf(...patterns: string[]) {
  return limitedMatcherOf(patterns);
}

/** The same where nothing may wait for long. */
function limitedMatcherOf(patterns: readonly string[], maxPatternMsPerText?: number) {
  const rules = patterns.map((pattern) => ({
    name: "own",
    method: "hash" as const,
    type: "pattern" as const,
    source: "*",
    pattern,
  }));
  const masking = compileRules({
    version: 1,
    level: "off",
    floor: "off",
    rules,
    key: KEY,
    ...(maxPatternMsPerText !== undefined && { maxPatternMsPerText }),
  });
  return (text: string): number | null => {
    try {
      return findMatches(text, masking.scopeOf("input").texts).length;
    } catch {
      return null;
    }
  };
}

function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const lettersOf = (random: Random, length: number) =>
  Array.from({ length }, () => (random.chance(0.5) ? "a" : "b")).join("");

/** Takes a step of hundreds of instructions for each character, and has no match. */
const MANY_STEPS = "(?i:a\\pL{0,200}b\\pL{0,200})[!?]";
/** Looks to the end of the text for each of its matches. */
const FAR_AHEAD = "q[^z]*z|q";
/** Has a state for each of the last characters, more than can be remembered. */
const MANY_STATES = "(?:a|b)*a(?:a|b){200}[cd]";

describe("own patterns", () => {
  it("that look far ahead for each match take time in proportion to the text, or it is not checked", () => {
    const match = matcherOf(FAR_AHEAD);
    expect(match("q".repeat(100))).toBe(100);
    const ms = cpuMsOf(() => expect(match("q".repeat(MIB))).toBeNull());
    expect(ms).toBeLessThan(3_000);
  });

  it("with more states than can be remembered do, too", () => {
    const match = matcherOf(MANY_STATES);
    const text = lettersOf(new Random(5), MIB);
    const ms = cpuMsOf(() => expect(match(text)).toBeNull());
    expect(ms).toBeLessThan(3_000);
  });

  it("that match at once and then look on for long do, too", () => {
    const match = matcherOf(`q${MANY_STATES}|q`);
    const text = `q${lettersOf(new Random(5), MIB)}`;
    expect(cpuMsOf(() => match(text))).toBeLessThan(5_000);
  });

  it("are ended in the middle of a search where nothing may wait for long, whatever they are", () => {
    const texts = [lettersOf(new Random(5), 49_152), "q".repeat(49_152), `${"ab".repeat(24_000)}!`];
    for (const pattern of [
      MANY_STEPS,
      FAR_AHEAD,
      MANY_STATES,
      `q${MANY_STATES}|q`,
      "(?:(?:x{0,20}q?){0,20})z",
    ]) {
      const match = limitedMatcherOf([pattern], 20);
      // The least of several: the process also collects garbage and compiles meanwhile.
      for (const text of texts)
        expect(Math.min(...[1, 2, 3].map(() => cpuMsOf(() => match(text))))).toBeLessThan(90);
    }
    expect(limitedMatcherOf([MANY_STEPS], 20)(texts[0] ?? "")).toBeNull();
  });

  it("have a size with which a character costs little", () => {
    expect(() => compilePattern("(?i:a\\pL{0,400}b\\pL{0,400})[!?]")).toThrow(/too large: \d+ steps/);
    expect(compilePattern("[a-z]{1,200}-\\d{1,200}").programSize()).toBeLessThan(1_000);
  });

  it("match in long texts what they match in short ones, wherever it is", () => {
    const match = matcherOf("\\bORD-\\d{6}\\b", "^start", "end$", "(?s)<<.*?>>");
    const filler = "word ".repeat(9_000);
    for (let shift = 0; shift < 12; shift += 1) {
      const long = `<<${"x".repeat(8_000)}>>`;
      const text = `start ${"-".repeat(shift)}${filler}ORD-123456 ${filler}${long}${filler}XORD-123456 ORD-1234567 end`;
      expect(match(text)).toBe(4);
    }
    expect(match(`${"a".repeat(32_766)}ORD-123456`)).toBe(0);
    expect(match(`${"a".repeat(32_765)} ORD-123456 ${filler}`)).toBe(1);
  });

  it("take that time together, however many there are and however short the texts", () => {
    const match = matcherOf(...Array.from({ length: 20 }, (_, index) => `${FAR_AHEAD}|never${index}`));
    const text = "q".repeat(1_000);
    let unchecked = 0;
    const ms = cpuMsOf(() => {
      for (let texts = 0; texts < 1_000; texts += 1) if (match(text) === null) unchecked += 1;
    });
    expect(unchecked).toBeGreaterThan(0);
    expect(ms).toBeLessThan(4_000);
  });

  it("are matched again after a text that took too long", () => {
    const match = matcherOf(FAR_AHEAD);
    expect(match("q".repeat(MIB))).toBeNull();
    let texts = 0;
    while (match("a quick answer") === null) texts += 1;
    // What was spent too much is made up for by half a mebibyte at most.
    expect(texts * "a quick answer".length).toBeLessThan(MIB / 2);
  });

  it("that are fast are never too late in long texts or many", () => {
    const match = matcherOf("ORD-\\d{6}", "\\b[A-Z]{2}\\d{7}\\b");
    const text = "The order ORD-123456 of AB1234567 was sent. ".repeat(20_000);
    for (let round = 0; round < 3; round += 1) expect(match(text)).toBe(40_000);
    for (let texts = 0; texts < 20_000; texts += 1) expect(match("Order ORD-123456")).toBe(1);
  });
});
