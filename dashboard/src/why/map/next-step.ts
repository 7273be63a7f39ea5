import type { FoldedMap } from "./fold-rare.ts";
import type { PlacedNode } from "./layout-map.ts";

/**
 * Where an arrow key leads from a choice: down and up along the path of the most runs, left and right to the next choice of
 * the same layer. Undefined if there is none.
 */
export function nextStep(
  { edges }: FoldedMap,
  nodes: ReadonlyMap<string, PlacedNode>,
  step: string,
  key: string,
): string | undefined {
  const layer = nodes.get(step)?.layer ?? 0;
  const layerOf = (other: string) => nodes.get(other)?.layer ?? 0;
  const most = (candidates: FoldedMap["edges"]) => candidates.toSorted((a, b) => b.runs - a.runs)[0];
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
