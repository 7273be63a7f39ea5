import { describe, expect, it } from "vitest";
import { layoutMap } from "./layout-map.ts";

/** "a-b" is an edge from a to b. */
const graph = (...texts: string[]) => {
  const edges = texts.map((text, index) => {
    const [from = "", to = ""] = text.split("-");
    return { from, to, times: 100 - index };
  });
  const steps = new Set(["0", ...edges.flatMap(({ from, to }) => [from, to])]);
  return { nodes: [...steps].map((step) => ({ step })), edges };
};

describe("layoutMap", () => {
  it("places every choice below those that lead to it", () => {
    const map = graph("0-a", "0-b", "a-c", "b-c", "a-d", "c-d");
    const { nodes, edges } = layoutMap(map, () => 100);
    for (const { edge } of edges) expect(nodes.get(edge.to)?.y).toBeGreaterThan(nodes.get(edge.from)?.y ?? 0);
  });

  it("never lets two choices overlap, and keeps all of them inside", () => {
    const wide = Array.from({ length: 30 }, (_, index) => [`0-n${index}`, `n${index}-end`]).flat();
    const { nodes, width, height } = layoutMap(graph(...wide), (step) => 60 + step.length * 10);
    const placed = [...nodes.values()];
    for (const one of placed) {
      expect(one.x - one.width / 2).toBeGreaterThanOrEqual(0);
      expect(one.x + one.width / 2).toBeLessThanOrEqual(width);
      expect(one.y).toBeLessThan(height);
      for (const other of placed)
        if (one !== other && one.layer === other.layer)
          expect(Math.abs(one.x - other.x)).toBeGreaterThanOrEqual((one.width + other.width) / 2);
    }
  });

  it("draws a path that leads back up, with the frequent direction downwards", () => {
    const { nodes, edges } = layoutMap(graph("0-a", "a-b", "b-a"), () => 100);
    expect(nodes.get("b")?.y).toBeGreaterThan(nodes.get("a")?.y ?? 0);
    expect(edges).toHaveLength(3);
  });

  it("leads an edge around the layers that it passes", () => {
    const { edges } = layoutMap(graph("0-a", "a-b", "b-c", "0-c"), () => 100);
    expect(edges.find(({ edge }) => edge.from === "0" && edge.to === "c")?.points).toHaveLength(4);
  });
});
