import { finishSteps } from "@whytrace/contract";

/** Indexes of equal steps of two lines. */
export type StepPair = [a: number, b: number];

/** A part of both lines: from `a` to before `aEnd`, and from `b` to before `bEnd`. */
interface Section {
  a: number;
  aEnd: number;
  b: number;
  bEnd: number;
}

const MAX_COST = 400;

/**
 * Aligns two lines of steps with Myers' algorithm in linear space: returns the pairs of a longest common subsequence, in
 * order. If more than `maxCost` edits from either end do not meet, it continues from the furthest point reached, so the
 * time grows with the length and not with its square; the result may then be shorter than the longest.
 */
export function alignSteps(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  maxCost: number = MAX_COST,
): StepPair[] {
  return finishSteps(alignInSteps(a, b, maxCost));
}

/** Does the same, one search per step, so that the caller can run other work between steps. */
export function* alignInSteps(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  maxCost: number = MAX_COST,
): Generator<undefined, StepPair[]> {
  const pairs: StepPair[] = [];
  const search = new MiddleSearch(a, b, Math.min(maxCost, a.length + b.length));
  // What is left to align, the first on top, between pairs that are already known.
  const open: (Section | StepPair)[] = [{ a: 0, aEnd: a.length, b: 0, bEnd: b.length }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) {
      pairs.push(next);
      continue;
    }
    const section = { ...next };
    while (section.a < section.aEnd && section.b < section.bEnd && a[section.a] === b[section.b])
      pairs.push([section.a++, section.b++]);
    const ending: StepPair[] = [];
    while (
      section.a < section.aEnd &&
      section.b < section.bEnd &&
      a[section.aEnd - 1] === b[section.bEnd - 1]
    )
      ending.push([--section.aEnd, --section.bEnd]);
    for (const pair of ending) open.push(pair);
    if (section.a === section.aEnd || section.b === section.bEnd) continue;
    const middle = search.find(section);
    yield;
    if (!middle) continue;
    const [aMiddle, bMiddle] = middle;
    open.push({ ...section, a: aMiddle, b: bMiddle }, { ...section, aEnd: aMiddle, bEnd: bMiddle });
  }
  return pairs;
}

/** Finds a point on a shortest path through a section, from both ends at once. */
class MiddleSearch {
  readonly #a: ArrayLike<number>;
  readonly #b: ArrayLike<number>;
  readonly #maxCost: number;
  /** How far in `a` the paths on each diagonal have come, from the start and from the end. The middle is diagonal 0. */
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;

  constructor(a: ArrayLike<number>, b: ArrayLike<number>, maxCost: number) {
    this.#a = a;
    this.#b = b;
    this.#maxCost = maxCost;
    this.#forward = new Int32Array(2 * maxCost + 3);
    this.#backward = new Int32Array(2 * maxCost + 3);
  }

  /** Undefined if the section has nothing in common. */
  find({ a, aEnd, b, bEnd }: Section): StepPair | undefined {
    const width = aEnd - a;
    const height = bEnd - b;
    const delta = width - height;
    const isOdd = delta % 2 !== 0;
    const origin = this.#maxCost + 1;
    const forward = this.#forward;
    const backward = this.#backward;
    forward[origin + 1] = 0;
    backward[origin + 1] = 0;
    const maxCost = Math.min(this.#maxCost, Math.ceil((width + height) / 2));
    let furthest = 0;
    let middle: StepPair = [a, b];
    for (let cost = 0; cost <= maxCost; cost += 1) {
      for (let diagonal = -cost; diagonal <= cost; diagonal += 2) {
        let x = nextX(forward, origin + diagonal, cost, diagonal);
        let y = x - diagonal;
        if (x <= width && y <= height)
          while (x < width && y < height && this.#a[a + x] === this.#b[b + y]) {
            x += 1;
            y += 1;
          }
        forward[origin + diagonal] = x;
        if (x > width || y > height) continue;
        if (x + y > furthest) {
          furthest = x + y;
          middle = [a + x, b + y];
        }
        const opposite = delta - diagonal;
        if (isOdd && Math.abs(opposite) < cost && x + (backward[origin + opposite] ?? 0) >= width)
          return inside([a + x, b + y], { a, aEnd, b, bEnd });
      }
      for (let diagonal = -cost; diagonal <= cost; diagonal += 2) {
        let x = nextX(backward, origin + diagonal, cost, diagonal);
        let y = x - diagonal;
        if (x <= width && y <= height)
          while (x < width && y < height && this.#a[aEnd - 1 - x] === this.#b[bEnd - 1 - y]) {
            x += 1;
            y += 1;
          }
        backward[origin + diagonal] = x;
        if (x > width || y > height) continue;
        const opposite = delta - diagonal;
        if (!isOdd && Math.abs(opposite) <= cost && x + (forward[origin + opposite] ?? 0) >= width)
          return inside([aEnd - x, bEnd - y], { a, aEnd, b, bEnd });
      }
    }
    return inside(middle, { a, aEnd, b, bEnd });
  }
}

/** Where a path continues that costs one more: from the neighbour that has come further. */
function nextX(reached: Int32Array, at: number, cost: number, diagonal: number): number {
  const below = reached[at - 1] ?? 0;
  const above = reached[at + 1] ?? 0;
  return diagonal === -cost || (diagonal !== cost && below < above) ? above : below + 1;
}

/** A point at a corner does not divide the section: then all of it is an edit. */
function inside([x, y]: StepPair, { a, aEnd, b, bEnd }: Section): StepPair | undefined {
  return (x === a && y === b) || (x === aEnd && y === bEnd) ? undefined : [x, y];
}
