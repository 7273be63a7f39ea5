import { startCpuStopwatch } from "@whytrace/testing/cpu-stopwatch.ts";
import { describe, expect, it } from "vitest";
import { NO_SPAN, SpanTree } from "./span-tree.ts";

/** "b<a 3" is a span b inside of span a that starts at 3. */
function parse(text: string) {
  const [, id = "", parentSpanId = null, start = "0"] = /^(\w+)(?:<(\w+))?(?: (\d+))?$/.exec(text) ?? [];
  return { id, parentSpanId, startedAt: Number(start) };
}

/** Each span with what contains it, from above: "a b<a". */
function draw(...texts: string[]): string {
  const spans = texts.map(parse);
  const tree = new SpanTree(spans);
  const nameOf = (index: number) => spans[index]?.id ?? "";
  return Array.from(tree.topDown(), (index) => {
    const parent = tree.parent[index] ?? NO_SPAN;
    return parent === NO_SPAN ? nameOf(index) : `${nameOf(index)}<${nameOf(parent)}`;
  }).join(" ");
}

describe("the span tree", () => {
  it.each([
    ["is walked from above, in the order sent", ["c<b", "b<a", "d", "a", "e<a"], "d a b<a c<b e<a"],
    ["has a span whose parent is missing as a root", ["b<a", "c<b"], "b c<b"],
    ["has the first start of a cycle as its root", ["a<c 2", "b<a 1", "c<b 3"], "b c<b a<c"],
    ["has the first one sent as root if several started first", ["a<c 2", "b<a 1", "c<b 1"], "b c<b a<c"],
    ["opens a cycle at a span of it, not at one inside it", ["x<a 0", "a<b 2", "b<a 1"], "b a<b x<a"],
    ["has a span that is its own parent as a root", ["a<a 5", "b<a 1"], "a b<a"],
    ["puts what names an id inside the last span with it", ["a 1", "b<a", "a 2", "c<a"], "a a b<a c<a"],
    ["opens a cycle through a repeated id", ["a<b 2", "b<a 3", "a<b 1"], "a b<a a<b"],
  ])("%s", (_, spans, drawn) => {
    expect(draw(...spans)).toBe(drawn);
  });

  it("compares starts that are texts as times", () => {
    const tree = new SpanTree([
      { id: "late", parentSpanId: "early", startedAt: "2026-01-02T00:00:00Z" },
      { id: "early", parentSpanId: "late", startedAt: "2026-01-02T01:30:00+02:00" },
    ]);
    expect([...tree.parent]).toEqual([1, NO_SPAN]);
  });

  it.each([
    ["nested", (index: number) => index - 1],
    ["nested, the last one sent first", (index: number) => index + 1],
    ["in a cycle", (index: number) => (index + 1) % 100_000],
    ["beside each other", () => 0],
  ])("takes time in proportion to 100,000 spans: %s", (_, parentOf) => {
    const spans = Array.from({ length: 100_000 }, (_span, index) => ({
      id: `s${index}`,
      parentSpanId: `s${parentOf(index)}`,
      startedAt: index,
    }));
    const workedMs = startCpuStopwatch();
    expect(new Set(new SpanTree(spans).topDown()).size).toBe(100_000);
    expect(workedMs()).toBeLessThan(1_000);
  });
});
