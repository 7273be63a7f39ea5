import { describe, expect, it } from "vitest";
import { blameOf, suspect } from "../../../test/blame.ts";
import { outlineDecision as decision, outline, outlineSpan as span } from "../../../test/outline.ts";
import { blamePath, blameRail, blameRows, hasError, isAbandoned } from "./blame-path.ts";
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
const blame = blameOf([suspect("route", { suspicion: "likely" }), suspect("tool")]);

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

  it("ranks options that were left out with the others, apart from the rows", () => {
    const out = suspect("check", { kind: "left-out", decisionPointId: null, suspicion: "likely" });
    const { leftOut, suspects } = blamePath(tree, { ...blame, suspects: [out, ...blame.suspects] });
    expect(leftOut.map(({ suspect: { option }, rank }) => [option, rank])).toEqual([["check", 1]]);
    expect(suspects.get("d:route")?.rank).toBe(2);
    expect(suspects.get("d:tool")?.rank).toBe(null);
  });

  it("shows all decisions of a run that never ended, and no error", () => {
    const { shown, errorKey } = blamePath(tree, {
      ...blame,
      ending: { kind: "abandoned", turn: 2, isCircle: true },
      error: null,
    });
    expect(shown.has("d:late")).toBe(true);
    expect(errorKey).toBe(null);
  });

  it("has no rail if neither a suspect nor the error is shown", () => {
    expect(blameRail([], path).size).toBe(0);
  });
});

it("is offered if a span, an event or the trace failed", () => {
  expect(hasError(tree)).toBe(true);
  expect(hasError(buildTree(outline([span("root", [0, 1])])))).toBe(false);
});

it("is also offered if a run never ended and was silent for an hour", () => {
  const running = { ...outline([span("root", [0, 1])]), status: "RUNNING" as const };
  const open = buildTree(running);
  const hourMs = 3_600_000;
  expect(isAbandoned(open, open.lastActivityMs + hourMs)).toBe(false);
  expect(isAbandoned(open, open.lastActivityMs + hourMs + 1)).toBe(true);
  expect(isAbandoned(tree, tree.lastActivityMs + 2 * hourMs)).toBe(false);
});
