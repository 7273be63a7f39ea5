import type { DecisionMap, MapEdge, MapNode, MapTimes } from "@whytrace/contract";
import { apportion } from "./apportion.ts";
import { listedChoices, START } from "./listed-choices.ts";

/** A path on the map. */
export interface FoldedEdge extends MapEdge {
  /** How many of its times lead over choices that are not shown. Of these it is estimated where they come from. */
  foldedTimes: number;
}

/**
 * A choice on the map. Its times are the sum of all paths to it, drawn or not, and the sum of all paths from it with the runs
 * that ended there.
 */
export interface FoldedNode extends MapNode {
  /** Times that it was chosen twice in a row, and times by paths that are too rare to be drawn. */
  again: MapTimes;
  rarerIn: MapTimes;
  rarerOut: MapTimes;
}

export interface FoldedMap {
  nodes: FoldedNode[];
  edges: FoldedEdge[];
  /** How many paths there are between the choices that are shown. */
  paths: number;
}

export interface FoldOptions {
  /** How many of the most frequent choices and paths to show. By default those of 1 % of the runs or more. */
  choices?: number | undefined;
  paths?: number | undefined;
  /** These are shown with all their paths, however rare they are. */
  isKept?: (node: MapNode) => boolean;
}

/** Choices and paths of fewer runs are not drawn, unless somebody asks for more. */
const MIN_SHARE = 0.01;

/**
 * Removes rare choices. Their runs bypass them: they go from the choice before to the choice after, or end at the choice before,
 * in the proportions in which they went on. Then leaves out the rarest paths, but counts them. So every choice stays the sum of
 * its paths.
 */
export function foldRare(map: DecisionMapCounts, options: FoldOptions = {}): FoldedMap {
  const { isKept = () => false } = options;
  const minTimes = map.runs * MIN_SHARE;
  const choices = listedChoices(map);
  const ranked = choices.toSorted((a, b) => b.times - a.times);
  const shown = options.choices ?? ranked.filter(({ times }) => times >= minTimes).length;
  const isShown = new Set([...ranked.slice(0, shown), ...choices.filter(isKept)].map(({ step }) => step));
  const folded = map.nodes.filter(({ step }) => step !== START && !isShown.has(step));
  const graph = new Graph(map);
  for (const { step } of folded.toSorted((a, b) => a.times - b.times)) graph.bypass(step);

  const edges = graph.listEdges().sort((a, b) => b.times - a.times);
  const drawn = options.paths ?? edges.filter(({ times }) => times >= minTimes).length;
  const kept = new Set(choices.filter(isKept).map(({ step }) => step));
  const isDrawn = ({ from, to }: MapEdge, index: number) => index < drawn || kept.has(from) || kept.has(to);
  for (const edge of edges.filter((one, index) => !isDrawn(one, index))) {
    add(graph.nodes.get(edge.from)?.rarerOut, edge);
    add(graph.nodes.get(edge.to)?.rarerIn, edge);
  }
  return { nodes: [...graph.nodes.values()], edges: edges.filter(isDrawn), paths: edges.length };
}

export type DecisionMapCounts = Pick<DecisionMap, "nodes" | "edges" | "runs">;

const none = (): MapTimes => ({ times: 0, failedTimes: 0, unknownTimes: 0 });

function add(sum: MapTimes | undefined, { times, failedTimes, unknownTimes }: MapTimes) {
  if (!sum) return;
  sum.times += times;
  sum.failedTimes += failedTimes;
  sum.unknownTimes += unknownTimes;
}

class Graph {
  readonly nodes: Map<string, FoldedNode>;
  /** By the node that they leave, and then by the node that they enter. None leads back to its own node. */
  readonly #out = new Map<string, Map<string, FoldedEdge>>();

  constructor({ nodes, edges }: DecisionMapCounts) {
    this.nodes = new Map(
      nodes.map((node) => [
        node.step,
        { ...node, ended: { ...node.ended }, again: none(), rarerIn: none(), rarerOut: none() },
      ]),
    );
    for (const edge of edges) this.#add({ ...edge, foldedTimes: 0 });
  }

  listEdges(): FoldedEdge[] {
    return [...this.#out.values()].flatMap((edges) => [...edges.values()]);
  }

  #add(edge: FoldedEdge) {
    const { from, to } = edge;
    if (from === to) {
      add(this.nodes.get(from)?.again, edge);
      return;
    }
    const edges = this.#out.get(from) ?? new Map<string, FoldedEdge>();
    this.#out.set(from, edges);
    const known = edges.get(to);
    if (!known) edges.set(to, edge);
    else {
      add(known, edge);
      known.runs += edge.runs;
      known.failedRuns += edge.failedRuns;
      known.foldedTimes += edge.foldedTimes;
    }
  }

  /** Failed runs, unknown ones and others are led past the node apart from each other, so that both add up. */
  bypass(step: string) {
    const { ended } = this.nodes.get(step) ?? { ended: { fine: 0, failed: 0, unknown: 0 } };
    const outgoing = [...(this.#out.get(step)?.values() ?? [])];
    const incoming = [...this.#out.values()].flatMap((edges) => edges.get(step) ?? []);
    this.#out.delete(step);
    this.nodes.delete(step);
    for (const edges of this.#out.values()) edges.delete(step);
    const fine = apportion(incoming.map(fineTimes), [ended.fine, ...outgoing.map(fineTimes)]);
    const failed = apportion(incoming.map(failedTimes), [ended.failed, ...outgoing.map(failedTimes)]);
    const unknown = apportion(incoming.map(unknownTimes), [ended.unknown, ...outgoing.map(unknownTimes)]);
    for (const [index, { from }] of incoming.entries()) {
      const before = this.nodes.get(from);
      if (!before) continue;
      before.ended.fine += fine[index]?.[0] ?? 0;
      before.ended.failed += failed[index]?.[0] ?? 0;
      before.ended.unknown += unknown[index]?.[0] ?? 0;
      for (const [column, { to }] of outgoing.entries()) {
        const failures = failed[index]?.[column + 1] ?? 0;
        const unknowns = unknown[index]?.[column + 1] ?? 0;
        const times = (fine[index]?.[column + 1] ?? 0) + failures + unknowns;
        if (times === 0) continue;
        this.#add({
          from,
          to,
          times,
          failedTimes: failures,
          unknownTimes: unknowns,
          runs: 0,
          failedRuns: 0,
          foldedTimes: times,
        });
      }
    }
  }
}

const fineTimes = (edge: MapTimes) => edge.times - edge.failedTimes - edge.unknownTimes;
const failedTimes = (edge: MapTimes) => edge.failedTimes;
const unknownTimes = (edge: MapTimes) => edge.unknownTimes;
