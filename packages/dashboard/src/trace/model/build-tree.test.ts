import { describe, expect, it } from "vitest";
import {
  at,
  outlineDecision as decision,
  outline,
  outlineSpan as span,
  ZERO_MS,
} from "../../../test/outline.ts";
import { buildTree } from "./build-tree.ts";
import { flattenRows, isItemExpanded, withAncestorsExpanded } from "./flatten-rows.ts";
import { type SpanNode, spanKey, type TraceTree } from "./trace-tree.ts";

const shape = (tree: TraceTree) =>
  flattenRows(tree, new Set()).map(({ item, level }) => `${" ".repeat(level - 1)}${item.key}`);
const node = (tree: TraceTree, id: string) => tree.byKey.get(spanKey(id)) as SpanNode;

describe("the tree", () => {
  it("sorts siblings by time, with a decision before what it led to", () => {
    const tree = buildTree(
      outline(
        [span("b", [2, 3], "root"), span("root", [0, 5]), span("a", [1, 2], "root")],
        [decision("d", 2, "root"), decision("loose", 4)],
      ),
    );
    expect(shape(tree)).toEqual(["s:root", " s:a", " d:d", " s:b", "d:loose"]);
    expect(tree.decisions.map(({ position }) => position)).toEqual([1, 2]);
  });

  it("puts a span with an unknown parent at the root and marks it", () => {
    const tree = buildTree(outline([span("a", [0, 1], "gone"), span("b", [0, 1])]));
    expect(node(tree, "a").parentError).toBe("missing parent");
    expect(node(tree, "b").parentError).toBeNull();
  });

  it("keeps every span of a parent cycle reachable", () => {
    const tree = buildTree(
      outline([
        span("a", [1, 2], "c"),
        span("b", [2, 3], "a"),
        span("c", [3, 4], "b"),
        span("tail", [5, 6], "c"),
        span("own", [0, 1], "own"),
      ]),
    );
    expect(shape(tree)).toEqual(["s:own", "s:a", " s:b", "  s:c", "   s:tail"]);
    expect([node(tree, "a").parentError, node(tree, "own").parentError]).toEqual([
      "circular parent",
      "circular parent",
    ]);
  });

  it("sums costs and tokens of children where the parent has none, and leaves unknown values unknown", () => {
    const tree = buildTree(
      outline([
        span("root", [0, 5]),
        span("given", [0, 2], "root", { costUsd: 1, tokenCount: 10 }),
        span("inside", [0, 1], "given", { costUsd: 0.4 }),
        span("summed", [2, 4], "root"),
        span("part", [2, 3], "summed", { costUsd: 0.5 }),
        span("unknown", [4, 5], "root"),
      ]),
    );
    expect([node(tree, "root").costUsd, node(tree, "root").isCostDerived]).toEqual([1.5, true]);
    expect([node(tree, "given").costUsd, node(tree, "given").isCostDerived]).toEqual([1, false]);
    expect(node(tree, "unknown").costUsd).toBeNull();
    expect([tree.costUsd, tree.isCostDerived, tree.tokenCount]).toEqual([1.5, true, 10]);
    expect(buildTree(outline([span("a", [0, 1])])).costUsd).toBeNull();
  });

  it("ends an unfinished span now, or at the last known time", () => {
    const running = outline([span("open", [0, null]), span("done", [1, 4])], [], { status: "RUNNING" });
    expect(node(buildTree(running), "open").endMs).toBe(ZERO_MS + 4_000);
    expect(node(buildTree(running, ZERO_MS + 9_000), "open").endMs).toBe(ZERO_MS + 9_000);
    expect(buildTree(running).lastActivityMs).toBe(Date.parse(at(4)));
  });

  it("handles 50,000 spans and 20,000 levels", () => {
    const wide = Array.from({ length: 50_000 }, (_, i) => span(`w${i}`, [i, i + 1], i ? "w0" : null));
    expect(buildTree(outline(wide)).order).toHaveLength(50_000);
    const deep = Array.from({ length: 20_000 }, (_, i) => span(`d${i}`, [0, 1], i ? `d${i - 1}` : null));
    expect(flattenRows(buildTree(outline(deep)), new Set()).at(-1)?.level).toBe(20_000);
  });
});

describe("groups", () => {
  const repeated = (count: number, more = {}) =>
    Array.from({ length: count }, (_, i) => span(`e${i}`, [i, i + 1], "root", { name: "embed", ...more }));

  it("contain five or more identical siblings, and start collapsed", () => {
    const tree = buildTree(outline([span("root", [0, 9]), ...repeated(5), span("other", [8, 9], "root")]));
    const rows = flattenRows(tree, new Set());
    expect(rows.map(({ item }) => item.key)).toEqual(["s:root", "g:s:e0", "s:other"]);
    expect(rows[1]).toMatchObject({ isExpanded: false, position: 1, setSize: 2, level: 2 });
    expect(flattenRows(tree, new Set(["g:s:e0"])).map(({ level }) => level)).toEqual([
      1, 2, 3, 3, 3, 3, 3, 2,
    ]);
  });

  it("need five consecutive, identical siblings", () => {
    const four = buildTree(outline([span("root", [0, 9]), ...repeated(4)]));
    expect(flattenRows(four, new Set())).toHaveLength(5);
    const broken = buildTree(
      outline([
        span("root", [0, 9]),
        ...repeated(6).map((one, i) => (i === 3 ? { ...one, status: "ERROR" as const } : one)),
      ]),
    );
    expect(flattenRows(broken, new Set())).toHaveLength(7);
  });

  it("compare descendants, and never hide a decision", () => {
    const steps = repeated(6).flatMap((step) => [
      step,
      span(`${step.id}.x`, [1, 2], step.id, { name: "call" }),
    ]);
    expect(flattenRows(buildTree(outline([span("root", [0, 9]), ...steps])), new Set())).toHaveLength(2);
    const decided = buildTree(outline([span("root", [0, 9]), ...repeated(6)], [decision("d", 3, "e3")]));
    expect(flattenRows(decided, new Set()).some(({ item }) => item.key === "d:d")).toBe(true);
  });

  it("and collapsed parents expand when a node inside them is selected", () => {
    const tree = buildTree(outline([span("root", [0, 9]), ...repeated(5)]));
    const toggled = withAncestorsExpanded(node(tree, "e3"), new Set(["s:root"]));
    expect(flattenRows(tree, toggled).some(({ item }) => item.key === "s:e3")).toBe(true);
    expect(isItemExpanded(node(tree, "root"), toggled)).toBe(true);
  });
});
