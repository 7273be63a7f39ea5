import type { MapEdge, MapNode, MapTimes } from "@whytrace/contract";
import { describe, expect, it } from "vitest";
import { type DecisionMapCounts, type FoldedMap, foldRare } from "./fold-rare.ts";
import { START } from "./listed-choices.ts";

interface Run {
  steps: string[];
  isFailed: boolean;
  isUnknown?: boolean;
}

/** The map of runs, as the server counts it. */
function mapOf(runs: Run[]): DecisionMapCounts {
  const nodes = new Map<string, MapNode>();
  const edges = new Map<string, MapEdge>();
  const nodeOf = (step: string): MapNode => {
    const node = nodes.get(step) ?? {
      step,
      signature: null,
      type: null,
      name: step,
      times: 0,
      failedTimes: 0,
      unknownTimes: 0,
      runs: 0,
      failedRuns: 0,
      ended: { fine: 0, failed: 0, unknown: 0 },
    };
    nodes.set(step, node);
    return node;
  };
  for (const { steps, isFailed, isUnknown = false } of runs) {
    const [failed, unknown] = [isFailed ? 1 : 0, isUnknown ? 1 : 0];
    for (const [index, to] of [START, ...steps].entries()) {
      const node = nodeOf(to);
      node.times += 1;
      node.failedTimes += failed;
      node.unknownTimes += unknown;
      if (index === 0) continue;
      const from = steps[index - 2] ?? START;
      const edge = edges.get(`${from} ${to}`) ?? {
        from,
        to,
        times: 0,
        failedTimes: 0,
        unknownTimes: 0,
        runs: 0,
        failedRuns: 0,
      };
      edge.times += 1;
      edge.failedTimes += failed;
      edge.unknownTimes += unknown;
      edges.set(`${from} ${to}`, edge);
    }
    nodeOf(steps.at(-1) ?? START).ended[isUnknown ? "unknown" : isFailed ? "failed" : "fine"] += 1;
  }
  return { runs: runs.length, nodes: [...nodes.values()], edges: [...edges.values()] };
}

const repeat = (count: number, steps: string, isFailed = false): Run[] =>
  Array.from({ length: count }, () => ({ steps: [...steps], isFailed }));

const sum = (parts: MapTimes[]) => [
  parts.reduce((total, { times }) => total + times, 0),
  parts.reduce((total, { failedTimes }) => total + failedTimes, 0),
  parts.reduce((total, { unknownTimes }) => total + unknownTimes, 0),
];

function expectToAddUp({ nodes, edges }: FoldedMap, runs: Run[]) {
  for (const { step, times, failedTimes, unknownTimes, ended, again, rarerIn, rarerOut } of nodes) {
    const end = {
      times: ended.fine + ended.failed + ended.unknown,
      failedTimes: ended.failed,
      unknownTimes: ended.unknown,
    };
    const out = [...edges.filter(({ from }) => from === step), again, rarerOut, end];
    expect(sum(out), `out of ${step}`).toEqual([times, failedTimes, unknownTimes]);
    if (step === START) continue;
    const into = [...edges.filter(({ to }) => to === step), again, rarerIn];
    expect(sum(into), `into ${step}`).toEqual([times, failedTimes, unknownTimes]);
  }
  for (const { times, failedTimes } of edges) {
    expect(Number.isInteger(times) && Number.isInteger(failedTimes)).toBe(true);
    expect(failedTimes >= 0 && failedTimes <= times).toBe(true);
  }
  expect(nodes.reduce((total, { ended }) => total + ended.fine, 0)).toBe(
    runs.filter(({ isFailed, isUnknown }) => !isFailed && !isUnknown).length,
  );
  expect(nodes.reduce((total, { ended }) => total + ended.failed, 0)).toBe(
    runs.filter(({ isFailed }) => isFailed).length,
  );
}

describe("foldRare", () => {
  it("leads runs past a choice that less than 1 % made, and says how many they are", () => {
    const runs = [
      ...repeat(992, "ab"),
      ...repeat(3, "arb"),
      ...repeat(1, "arb", true),
      ...repeat(4, "ar", true),
    ];
    const folded = foldRare(mapOf(runs));
    expect(folded.nodes.map(({ step }) => step)).toEqual([START, "a", "b"]);
    expect(folded.nodes[1]?.ended).toEqual({ fine: 0, failed: 4, unknown: 0 });
    expect(folded.edges).toMatchObject([
      { from: START, to: "a", times: 1_000, failedTimes: 5, foldedTimes: 0 },
      { from: "a", to: "b", times: 996, failedTimes: 1, foldedTimes: 4 },
    ]);
    expectToAddUp(folded, runs);
  });

  it("keeps every choice the sum of its paths, however many choices and paths are shown", () => {
    let seed = 7;
    const below = (max: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % max;
    };
    const runs = Array.from({ length: 400 }, (): Run => {
      // Early letters are frequent; runs go back and forth and repeat choices.
      const steps = Array.from(
        { length: below(9) + 1 },
        () => "abcdefghijklmnop"[below(below(16) + 1)] ?? "a",
      );
      const isUnknown = below(5) === 0;
      return { steps, isUnknown, isFailed: !isUnknown && below(4) === 0 };
    });
    const map = mapOf(runs);
    for (const choices of [0, 1, 3, 8, 15, 16, undefined])
      for (const paths of [0, 1, 5, 40, undefined]) expectToAddUp(foldRare(map, { choices, paths }), runs);
  });

  it("shows a rare choice with its paths if somebody looks for it", () => {
    const map = mapOf([...repeat(500, "ab"), ...repeat(1, "arb")]);
    const isKept = ({ name }: MapNode) => name === "r";
    const { nodes, edges } = foldRare(map, { isKept });
    expect(nodes.map(({ step }) => step)).toEqual([START, "a", "b", "r"]);
    expect(edges.map(({ from, to }) => from + to).sort()).toEqual(["0a", "ab", "ar", "rb"]);
  });
});
