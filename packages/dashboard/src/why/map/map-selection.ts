import type { FoldedEdge, FoldedMap, FoldedNode } from "./fold-rare.ts";
import type { MapSearch } from "./map-search.ts";

/** A choice, or a path from one choice to the next. */
export interface MapSelection {
  node: FoldedNode;
  /** The choice before, and the path from it. */
  before: { node: FoldedNode; edge: FoldedEdge } | undefined;
}

/** What the URL selects, if it is on the map. */
export function findSelection(
  { nodes, edges }: FoldedMap,
  { step, from }: MapSearch,
): MapSelection | undefined {
  const node = nodes.find((one) => one.step === step);
  if (!node) return undefined;
  const edge = edges.find((one) => one.from === from && one.to === step);
  const first = nodes.find((one) => one.step === from);
  return { node, before: edge && first ? { node: first, edge } : undefined };
}

/** The paths that leave a choice, those that were taken most first. */
export const pathsFrom = ({ edges }: FoldedMap, step: string): FoldedEdge[] =>
  edges.filter(({ from }) => from === step).sort((a, b) => b.times - a.times);
