import { describe, expect, it } from "vitest";
import { outline, outlineSpan as span, ZERO_MS } from "../../../test/outline.ts";
import { buildTree } from "./build-tree.ts";
import { criticalPath } from "./critical-path.ts";
import type { OutlineSpan } from "./outline.ts";

/** The path as `name from-to (self)`, in seconds, sorted by start. */
function pathOf(spans: OutlineSpan[]): string[] {
  const seconds = (ms: number) => (ms - ZERO_MS) / 1_000;
  return [...criticalPath(buildTree(outline(spans)).roots)]
    .sort(([, a], [, b]) => a.fromMs - b.fromMs || b.toMs - a.toMs)
    .map(
      ([{ span: one }, { fromMs, toMs, selfMs }]) =>
        `${one.id} ${seconds(fromMs)}-${seconds(toMs)} (${selfMs / 1_000})`,
    );
}

describe("the critical path", () => {
  it("of parallel children is the one that ends last", () => {
    expect(
      pathOf([span("root", [0, 10]), span("short", [1, 4], "root"), span("long", [1, 9], "root")]),
    ).toEqual(["root 0-10 (2)", "long 1-9 (8)"]);
  });

  it("of sequential children is all of them", () => {
    expect(
      pathOf([
        span("root", [0, 9]),
        span("a", [0, 3], "root"),
        span("b", [3, 6], "root"),
        span("c", [6, 9], "root"),
      ]),
    ).toEqual(["root 0-9 (0)", "a 0-3 (3)", "b 3-6 (3)", "c 6-9 (3)"]);
  });

  it("counts gaps between children as the parent's self time", () => {
    expect(pathOf([span("root", [0, 10]), span("a", [1, 3], "root"), span("b", [6, 8], "root")])).toEqual([
      "root 0-10 (6)",
      "a 1-3 (2)",
      "b 6-8 (2)",
    ]);
  });

  it("of overlapping children leaves out a child that was still running when the last one started", () => {
    expect(
      pathOf([
        span("root", [0, 10]),
        span("first", [0, 3], "root"),
        span("beside", [2, 6], "root"),
        span("last", [5, 10], "root"),
      ]),
    ).toEqual(["root 0-10 (2)", "first 0-3 (3)", "last 5-10 (5)"]);
  });

  it("with clock skew counts only the time inside the parent", () => {
    expect(
      pathOf([
        span("root", [0, 10]),
        span("early", [-2, 3], "root"),
        span("late", [8, 14], "root"),
        span("elsewhere", [20, 22], "root"),
      ]),
    ).toEqual(["root 0-10 (5)", "early 0-3 (3)", "late 8-10 (2)"]);
  });

  it("of an unfinished span ends at the last known time", () => {
    expect(
      pathOf([
        span("root", [0, null]),
        span("done", [1, 4], "root"),
        span("open", [4, null], "root"),
        span("mark", [5, 7], "root"),
      ]),
    ).toEqual(["root 0-7 (1)", "done 1-4 (3)", "open 4-7 (3)"]);
  });

  it("treats a span with a missing parent as a root", () => {
    expect(pathOf([span("orphan", [0, 5], "gone"), span("child", [1, 5], "orphan")])).toEqual([
      "orphan 0-5 (1)",
      "child 1-5 (4)",
    ]);
  });

  it("handles cycles of parents, and a span that is its own parent", () => {
    expect(
      pathOf([
        span("a", [0, 6], "c"),
        span("b", [1, 5], "a"),
        span("c", [2, 4], "b"),
        span("self", [7, 8], "self"),
      ]),
    ).toEqual(["a 0-6 (2)", "b 1-5 (2)", "c 2-4 (2)", "self 7-8 (1)"]);
  });

  it("handles zero durations", () => {
    expect(
      pathOf([
        span("root", [0, 0]),
        span("a", [0, 0], "root"),
        span("b", [0, 0], "root"),
        span("c", [0, 0], "a"),
      ]),
    ).toHaveLength(4);
    expect(pathOf([span("root", [0, 4]), span("blink", [2, 2], "root")])).toEqual([
      "root 0-4 (4)",
      "blink 2-2 (0)",
    ]);
  });

  it("of several roots is the chain that leads to the end of the last one", () => {
    expect(
      pathOf([span("a", [0, 3]), span("beside", [1, 6]), span("b", [4, 8]), span("c", [9, 12])]),
    ).toEqual(["a 0-3 (3)", "b 4-8 (4)", "c 9-12 (3)"]);
  });

  it("of nested parallel spans follows the slowest branch at every level", () => {
    expect(
      pathOf([
        span("root", [0, 10]),
        span("left", [0, 6], "root"),
        span("left.a", [0, 6], "left"),
        span("right", [0, 10], "root"),
        span("right.a", [1, 4], "right"),
        span("right.b", [1, 9], "right"),
        span("right.b.x", [2, 8], "right.b"),
        span("right.b.y", [2, 5], "right.b"),
      ]),
    ).toEqual(["root 0-10 (0)", "right 0-10 (2)", "right.b 1-9 (2)", "right.b.x 2-8 (6)"]);
  });

  it("of an empty trace is empty", () => {
    expect(pathOf([])).toEqual([]);
  });

  it("of 20,000 levels does not overflow the stack", () => {
    const spans = Array.from({ length: 20_000 }, (_, i) => span(`s${i}`, [0, 1], i ? `s${i - 1}` : null));
    expect(pathOf(spans)).toHaveLength(20_000);
  });
});
