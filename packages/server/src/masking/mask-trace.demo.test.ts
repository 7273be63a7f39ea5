import { finishSteps, parseBatch } from "@whytrace/contract";
import type { MaskingLevel } from "@whytrace/contract/schemas/masking/settings";
import { demoMonth } from "@whytrace/demo";
import { volume } from "@whytrace/testing/volume.ts";
import { expect, it } from "vitest";
import { compileRules } from "./compile-rules.ts";
import { findMatches } from "./find-matches.ts";
import { maskTraces } from "./mask-trace.ts";

const TRACES = volume(1_000);
const traces = () => [...demoMonth({ seed: 1, now: new Date("2026-11-18T10:00:00Z"), traces: TRACES })];
const maskingAt = (level: MaskingLevel) =>
  compileRules({ version: 1, level, floor: "off", rules: [], key: new Uint8Array(32) });

it("masks nothing of the demo at the level secrets", () => {
  const masked = finishSteps(maskTraces(parseBatch({ traces: traces() }), maskingAt("secrets")));
  expect(masked.length).toBe(TRACES);
  expect(masked.filter(({ masking }) => masking?.counts !== null)).toEqual([]);
});

it("masks of the demo at the level personal the addresses of customers, and nothing else", () => {
  const { texts } = maskingAt("personal").scopeOf("input");
  const found = new Set<string>();
  const look = (value: unknown) => {
    if (typeof value === "string")
      for (const match of findMatches(value, texts)) found.add(`${match.rule.type} ${match.value}`);
    else if (typeof value === "object" && value !== null) {
      for (const key of Object.keys(value)) look(key);
      for (const inner of Object.values(value)) look(inner);
    }
  };
  for (const trace of traces()) look(trace);
  expect(found.size).toBeGreaterThan(50);
  expect([...found].filter((match) => !/^email [a-z]+\.[a-z]+@example\.com$/.test(match))).toEqual([]);
});
