import type { MapGraph, PlacedNode } from "./layout-map.ts";

/**
 * Where an arrow key leads from a choice: down and up along the path that was taken most, left and right to the next choice of
 * the same layer. Undefined if there is none.
 */
export function nextStep(
  { edges }: MapGraph,
  nodes: ReadonlyMap<string, PlacedNode>,
  step: string,
  key: string,
): string | undefined {
  const layer = nodes.get(step)?.layer ?? 0;
  const layerOf = (other: string) => nodes.get(other)?.layer ?? 0;
  const most = (candidates: MapGraph["edges"]) => candidates.toSorted((a, b) => b.times - a.times)[0];
  switch (key) {
    case "ArrowDown":
      return most(edges.filter(({ from, to }) => from === step && layerOf(to) > layer))?.to;
    case "ArrowUp":
      return most(edges.filter(({ from, to }) => to === step && layerOf(from) < layer))?.from;
    case "ArrowLeft":
    case "ArrowRight": {
      const siblings = [...nodes.values()].filter((one) => one.layer === layer).sort((a, b) => a.x - b.x);
      const at = siblings.findIndex((one) => one.step === step);
      return siblings[at + (key === "ArrowRight" ? 1 : -1)]?.step;
    }
    default:
      return undefined;
  }
}
