import type { Blame, Rate, Suspect } from "@whytrace/contract";
import { describe, expect, it } from "vitest";
import { at, outlineDecision as decision, outline, outlineSpan as span } from "../../../test/outline.ts";
import { blamePath, blameRail, blameRows, hasError } from "./blame-path.ts";
import { buildTree } from "./build-tree.ts";

const tree = buildTree(
  outline(
    [
      span("root", [0, 10]),
      span("plan", [1, 2], "root"),
      span("search", [2, 3], "root"),
      span("pay", [5, 6], "root", { status: "ERROR" }),
      span("reply", [7, 8], "root"),
    ],
    [decision("route", 1, "plan"), decision("tool", 4, "root"), decision("late", 9, "root")],
  ),
);
const RATE: Rate = {
  decisions: 30,
  failed: 3,
  recovered: 0,
  runs: 30,
  failedRuns: 3,
  recoveredRuns: 0,
  low: 0,
  high: 1,
};
const suspect = (decisionPointId: string, suspicion: Suspect["suspicion"]): Suspect => ({
  decisionPointId,
  type: "ROUTING",
  signature: "",
  step: "",
  option: decisionPointId,
  suspicion,
  score: 1,
  beforeMs: 1,
  isSameSpan: true,
  place: null,
  after: null,
  chosen: RATE,
  alternative: null,
  sameError: { chosen: 0, chosenRuns: 0, alternative: 0, alternativeRuns: 0 },
  clue: null,
  dithering: null,
  verdict: null,
});
const blame: Blame = {
  from: at(0),
  to: at(10),
  traceId: "t",
  agent: "agent",
  error: { spanId: "pay", name: "pay", message: null, fingerprint: "", at: at(5), runs: 1 },
  errors: [],
  decisions: 2,
  suspects: [suspect("route", "likely"), suspect("tool", "none")],
  record: { judged: 0, right: 0 },
};

describe("the blame path", () => {
  const path = blamePath(tree, blame);
  const rows = blameRows(tree, path, new Set());

  it("shows decisions before the error, failed spans and what is around them, and counts the others", () => {
    expect(rows.map(({ item, level, foldedCount }) => [item.key, level, foldedCount])).toEqual([
      ["s:root", 1, 3],
      ["s:plan", 2, 0],
      ["d:route", 3, 0],
      ["d:tool", 2, 0],
      ["s:pay", 2, 0],
    ]);
  });

  it("leaves out what is inside of a collapsed span", () => {
    expect(blameRows(tree, path, new Set(["s:plan"])).map(({ item }) => item.key)).not.toContain("d:route");
  });

  it("joins the suspects to the error with a rail that passes the rows between them", () => {
    expect([...blameRail(rows, path)]).toEqual([
      ["d:route", { mark: 1, isAbove: false, isBelow: true }],
      ["d:tool", { mark: null, isAbove: true, isBelow: true }],
      ["s:pay", { mark: "✕", isAbove: true, isBelow: false }],
    ]);
  });

  it("has no rail if neither a suspect nor the error is shown", () => {
    expect(blameRail([], path).size).toBe(0);
  });
});

it("is offered if a span, an event or the trace failed", () => {
  expect(hasError(tree)).toBe(true);
  expect(hasError(buildTree(outline([span("root", [0, 1])])))).toBe(false);
});
