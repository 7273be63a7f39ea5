import type { MapEdge, MapNode } from "@whytrace/contract";

/** What the layout needs to know of a map. */
export interface MapGraph<Edge extends GraphEdge = GraphEdge> {
  nodes: readonly Pick<MapNode, "step">[];
  edges: readonly Edge[];
}
export type GraphEdge = Pick<MapEdge, "from" | "to" | "times">;

export interface Point {
  x: number;
  y: number;
}

/** Where a choice is drawn. `x` and `y` are its centre. */
export interface PlacedNode extends Point {
  step: string;
  width: number;
  layer: number;
}

export interface MapLayout<Edge> {
  nodes: Map<string, PlacedNode>;
  /** The points that each edge passes, from its first node to its last. */
  edges: { edge: Edge; points: Point[] }[];
  width: number;
  height: number;
}

export const NODE_HEIGHT = 40;
const LAYER_HEIGHT = 76;
const GAP = 16;
const MARGIN = 16;
const BEND_WIDTH = 12;
const ORDER_ROUNDS = 12;
const PLACE_ROUNDS = 16;

/** A node, or a bend of an edge that passes a layer. */
interface Place {
  key: string;
  width: number;
  x: number;
  /** Neighbours in the layers above and below. */
  above: Place[];
  below: Place[];
}

/**
 * A layered layout: every choice is below those that lead to it. An edge that passes layers bends around their choices. Edges
 * that lead back up make no difference to the layers.
 */
export function layoutMap<Edge extends GraphEdge>(
  { nodes, edges }: MapGraph<Edge>,
  widthOf: (step: string) => number,
): MapLayout<Edge> {
  const steps = nodes.map(({ step }) => step);
  const forward = forwardEdges(steps, edges);
  const layerOf = assignLayers(steps, forward);
  const layers: Place[][] = Array.from({ length: Math.max(0, ...layerOf.values()) + 1 }, () => []);
  const places = new Map<string, Place>();
  const addPlace = (key: string, layer: number, width: number) => {
    const place: Place = { key, width, x: 0, above: [], below: [] };
    layers[layer]?.push(place);
    places.set(key, place);
    return place;
  };
  for (const step of steps) addPlace(step, layerOf.get(step) ?? 0, widthOf(step));
  const routes = edges.map((edge) => {
    const [from, to] = [places.get(edge.from), places.get(edge.to)];
    const [start, end] = [layerOf.get(edge.from) ?? 0, layerOf.get(edge.to) ?? 0];
    const direction = end >= start ? 1 : -1;
    const bends: Place[] = [];
    for (let layer = start + direction; layer !== end && start !== end; layer += direction)
      bends.push(addPlace(`${edge.from} ${edge.to} ${layer}`, layer, BEND_WIDTH));
    const route = [from, ...bends, to].filter((place) => place !== undefined);
    for (const [index, place] of route.entries()) {
      const next = route[index + 1];
      if (!next || start === end) continue;
      (direction > 0 ? place.below : place.above).push(next);
      (direction > 0 ? next.above : next.below).push(place);
    }
    return { edge, route };
  });
  sortLayers(layers);
  placeLayers(layers);
  const left = Math.min(0, ...layers.flat().map(({ x, width }) => x - width / 2)) - MARGIN;
  const layerIndex = new Map(layers.flatMap((layer, index) => layer.map(({ key }) => [key, index])));
  const pointOf = ({ key, x }: Place): Point => ({
    x: x - left,
    y: MARGIN + NODE_HEIGHT / 2 + (layerIndex.get(key) ?? 0) * LAYER_HEIGHT,
  });
  const placed = steps.flatMap((step): [string, PlacedNode][] => {
    const place = places.get(step);
    if (!place) return [];
    return [[step, { step, width: place.width, layer: layerIndex.get(step) ?? 0, ...pointOf(place) }]];
  });
  return {
    nodes: new Map(placed),
    edges: routes.map(({ edge, route }) => ({ edge, points: route.map(pointOf) })),
    width: Math.max(0, ...layers.flat().map(({ x, width }) => x + width / 2)) - left + MARGIN,
    height: layers.length * LAYER_HEIGHT - (LAYER_HEIGHT - NODE_HEIGHT) + 2 * MARGIN,
  };
}

/** The edges without those that close a circle. The most frequent ones are followed first, so rare ones lead back. */
function forwardEdges(steps: readonly string[], edges: readonly GraphEdge[]): GraphEdge[] {
  const out = Map.groupBy(
    edges.toSorted((a, b) => b.times - a.times),
    ({ from }) => from,
  );
  const state = new Map<string, "open" | "done">();
  const forward: GraphEdge[] = [];
  for (const root of steps) {
    const stack = state.has(root) ? [] : [{ step: root, next: 0 }];
    if (stack.length > 0) state.set(root, "open");
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const edge = out.get(top.step)?.[top.next++];
      if (!edge) {
        state.set(top.step, "done");
        stack.pop();
      } else if (state.get(edge.to) !== "open") {
        forward.push(edge);
        if (!state.has(edge.to)) {
          state.set(edge.to, "open");
          stack.push({ step: edge.to, next: 0 });
        }
      }
    }
  }
  return forward;
}

/** The layer of each step: one below the lowest of those that lead to it. */
function assignLayers(steps: readonly string[], edges: readonly GraphEdge[]): Map<string, number> {
  const layers = new Map(steps.map((step) => [step, 0]));
  const waiting = new Map(steps.map((step) => [step, 0]));
  for (const { to } of edges) waiting.set(to, (waiting.get(to) ?? 0) + 1);
  const out = Map.groupBy(edges, ({ from }) => from);
  const ready = steps.filter((step) => waiting.get(step) === 0);
  for (let step = ready.pop(); step !== undefined; step = ready.pop())
    for (const { to } of out.get(step) ?? []) {
      layers.set(to, Math.max(layers.get(to) ?? 0, (layers.get(step) ?? 0) + 1));
      const left = (waiting.get(to) ?? 0) - 1;
      waiting.set(to, left);
      if (left === 0) ready.push(to);
    }
  return layers;
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Sorts each layer by where its neighbours are (the barycenter method), so that few edges cross. */
function sortLayers(layers: Place[][]) {
  const indexes = new Map<Place, number>();
  const number = (layer: Place[]) => {
    for (const [index, place] of layer.entries()) indexes.set(place, index);
  };
  for (const layer of layers) number(layer);
  for (let round = 0; round < ORDER_ROUNDS; round += 1) {
    const isDown = round % 2 === 0;
    for (const layer of isDown ? layers : layers.toReversed()) {
      const weight = (place: Place) => {
        const neighbours = isDown ? place.above : place.below;
        return neighbours.length === 0
          ? (indexes.get(place) ?? 0)
          : mean(neighbours.map((neighbour) => indexes.get(neighbour) ?? 0));
      };
      const weights = new Map(layer.map((place) => [place, weight(place)]));
      layer.sort((a, b) => (weights.get(a) ?? 0) - (weights.get(b) ?? 0));
      number(layer);
    }
  }
}

/** Moves each place towards its neighbours, without changing the order and without overlaps. */
function placeLayers(layers: Place[][]) {
  for (const layer of layers)
    spread(
      layer,
      layer.map(() => 0),
    );
  for (let round = 0; round < PLACE_ROUNDS; round += 1)
    for (const layer of round % 2 === 0 ? layers : layers.toReversed())
      spread(
        layer,
        layer.map((place) => {
          const neighbours = [...place.above, ...place.below];
          return neighbours.length === 0 ? place.x : mean(neighbours.map(({ x }) => x));
        }),
      );
}

/** Places a layer as near as it can to the wanted positions: once from the left, once from the right, and the middle of both. */
function spread(layer: Place[], wanted: number[]) {
  const distance = (a: Place, b: Place) => (a.width + b.width) / 2 + GAP;
  const fromLeft: number[] = [];
  const fromRight: number[] = [];
  for (const [index, place] of layer.entries()) {
    const before = layer[index - 1];
    const min = before ? (fromLeft[index - 1] ?? 0) + distance(before, place) : Number.NEGATIVE_INFINITY;
    fromLeft.push(Math.max(min, wanted[index] ?? 0));
  }
  for (let index = layer.length - 1; index >= 0; index -= 1) {
    const [place, after] = [layer[index], layer[index + 1]];
    const max =
      place && after ? (fromRight[index + 1] ?? 0) - distance(place, after) : Number.POSITIVE_INFINITY;
    fromRight[index] = Math.min(max, wanted[index] ?? 0);
  }
  for (const [index, place] of layer.entries())
    place.x = ((fromLeft[index] ?? 0) + (fromRight[index] ?? 0)) / 2;
}
