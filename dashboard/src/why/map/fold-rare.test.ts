import type { MapEdge, MapNode } from "@whytrace/contract";
import { describe, expect, it } from "vitest";
import { foldRare } from "./fold-rare.ts";

const node = (step: string, runs: number, fine = 0, failed = 0): MapNode => ({
  step,
  signature: null,
  type: null,
  name: step,
  runs,
  failedRuns: failed,
  ended: { fine, failed },
});
const edge = (from: string, to: string, runs: number, failedRuns = 0): MapEdge => ({
  from,
  to,
  runs,
  failedRuns,
});

describe("foldRare", () => {
  it("leads runs past a choice that less than 1 % made, so that no run is lost", () => {
    const folded = foldRare({
      runs: 1_000,
      nodes: [node("0", 1_000), node("a", 1_000), node("rare", 8, 2, 2), node("b", 996, 996)],
      edges: [edge("0", "a", 1_000), edge("a", "rare", 8), edge("a", "b", 992), edge("rare", "b", 4, 1)],
    });
    expect(folded.nodes.map(({ step }) => step)).toEqual(["0", "a", "b"]);
    expect(folded.edges).toEqual([edge("0", "a", 1_000), edge("a", "b", 996, 1)]);
    expect(folded.nodes[1]?.ended).toEqual({ fine: 2, failed: 2 });
  });

  it("keeps a graph without rare choices as it is, but for loops", () => {
    const nodes = [node("0", 10), node("a", 10, 10)];
    const folded = foldRare({ runs: 10, nodes, edges: [edge("0", "a", 10), edge("a", "a", 5)] });
    expect(folded).toEqual({ nodes, edges: [edge("0", "a", 10)] });
  });
});
