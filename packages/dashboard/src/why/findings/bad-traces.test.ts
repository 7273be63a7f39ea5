import { expect, it } from "vitest";
import { badTraces, badTracesOf, chosenTraces } from "./bad-traces.ts";

const FROM = "2026-11-01T00:00:00.000Z";
const TO = "2026-11-08T00:00:00.000Z";
const OLDEST = "2026-11-05T10:00:00.000Z";
const found = {
  from: FROM,
  to: TO,
  agent: "support",
  lens: "error",
  isTruncated: false,
  countedFrom: null,
} as const;
const row = {
  agent: "support",
  kind: "chose",
  step: "00000001",
  option: "search",
  countedFrom: null,
} as const;

it("has the lens of the list, and its time range", () => {
  const range = { startedFrom: FROM, startedTo: TO };
  expect(badTraces(found)).toEqual({ agent: "support", lens: "error", ...range });
  expect(badTraces({ ...found, agent: null })).toEqual({ decided: "yes", lens: "error", ...range });
  expect(badTracesOf(found, row)).toEqual({
    ...{ agent: "support", lens: "error", step: row.step, about: "search" },
    ...range,
  });
});

it("begins with the oldest counted run", () => {
  const truncated = { ...found, isTruncated: true, countedFrom: OLDEST };
  expect(badTraces(truncated)?.startedFrom).toBe(OLDEST);
  const ofRow = { ...row, countedFrom: OLDEST };
  expect(chosenTraces(truncated, ofRow).startedFrom).toBe(OLDEST);
  expect(badTracesOf(truncated, { ...ofRow, kind: "left-out" })).toEqual({
    ...{ agent: "support", lens: "error", startedFrom: OLDEST, startedTo: TO },
  });
});

it("of all agents is nothing if each is counted from another time on; a row knows that of its agent", () => {
  const truncated = { ...found, agent: null, isTruncated: true };
  expect(badTraces(truncated)).toBeUndefined();
  expect(badTracesOf(truncated, { ...row, countedFrom: OLDEST }).startedFrom).toBe(OLDEST);
  expect(badTracesOf(truncated, row).startedFrom).toBe(FROM);
});

it("begins later where stored runs are still judged", () => {
  const countedFrom = "2026-11-06T00:00:00.000Z";
  const judging = { countedFrom, runsLeft: 10 };
  expect(badTraces({ ...found, judging })?.startedFrom).toBe(countedFrom);
  const truncated = { ...found, isTruncated: true, countedFrom: OLDEST, judging };
  expect(badTraces(truncated)?.startedFrom).toBe(countedFrom);
});
