import type { DecisionMap, MapEdge, MapNode } from "@whytrace/contract";

export interface FoldedMap {
  nodes: MapNode[];
  edges: MapEdge[];
}

export const START = "0";
/** Choices and paths of fewer runs are not drawn. */
const MIN_SHARE = 0.01;

/**
 * Removes choices that less than 1 % of the runs made. Their runs bypass them: they go from the choice before to the choice
 * after, or end at the choice before, in the proportions in which they went on. So runs are neither lost nor added. Then
 * leaves out the rarest paths.
 */
export function foldRare({ nodes, edges, runs }: Pick<DecisionMap, "nodes" | "edges" | "runs">): FoldedMap {
  const minRuns = runs * MIN_SHARE;
  const graph = new Graph(nodes, edges);
  const rare = nodes.filter((node) => node.step !== START && node.runs < minRuns);
  for (const node of rare.toSorted((a, b) => a.runs - b.runs)) graph.bypass(node.step);
  return {
    nodes: [...graph.nodes.values()],
    edges: graph.listEdges().filter((edge) => edge.runs >= minRuns),
  };
}

class Graph {
  readonly nodes: Map<string, MapNode>;
  /** By the node that they leave, and then by the node that they enter. */
  readonly #out = new Map<string, Map<string, MapEdge>>();

  constructor(nodes: readonly MapNode[], edges: readonly MapEdge[]) {
    this.nodes = new Map(nodes.map((node) => [node.step, { ...node, ended: { ...node.ended } }]));
    for (const edge of edges) if (edge.from !== edge.to) this.#add(edge);
  }

  listEdges(): MapEdge[] {
    return [...this.#out.values()].flatMap((edges) => [...edges.values()]);
  }

  #add({ from, to, runs, failedRuns }: MapEdge) {
    const edges = this.#out.get(from) ?? new Map<string, MapEdge>();
    this.#out.set(from, edges);
    const known = edges.get(to);
    edges.set(to, {
      from,
      to,
      runs: (known?.runs ?? 0) + runs,
      failedRuns: (known?.failedRuns ?? 0) + failedRuns,
    });
  }

  bypass(step: string) {
    const node = this.nodes.get(step);
    if (!node) return;
    const outgoing = [...(this.#out.get(step)?.values() ?? [])];
    const { fine, failed } = node.ended;
    const leaving = outgoing.reduce((sum, edge) => sum + edge.runs, fine + failed);
    this.#out.delete(step);
    this.nodes.delete(step);
    for (const [from, edges] of this.#out) {
      const incoming = edges.get(step);
      edges.delete(step);
      const before = this.nodes.get(from);
      if (!incoming || !before || leaving === 0) continue;
      const share = incoming.runs / leaving;
      before.ended.fine += fine * share;
      before.ended.failed += failed * share;
      for (const { to, runs, failedRuns } of outgoing)
        if (to !== from) this.#add({ from, to, runs: runs * share, failedRuns: failedRuns * share });
    }
  }
}
