import { describe, expect, it } from "vitest";
import { alignSteps } from "./align-steps.ts";

/** Numbers from 0 to 1, the same in each run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function longestCommonLength(a: number[], b: number[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const step of a) {
    const next = [0];
    for (const [index, other] of b.entries())
      next.push(step === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

const random = randomNumbers(3);
const below = (limit: number) => Math.floor(random() * limit);
const steps = (length: number, different: number) => Array.from({ length }, () => below(different));

function expectAligned(a: number[], b: number[], pairs: [number, number][]) {
  let [aBefore, bBefore] = [-1, -1];
  for (const [aIndex, bIndex] of pairs) {
    expect(a[aIndex]).toBe(b[bIndex]);
    expect(aIndex).toBeGreaterThan(aBefore);
    expect(bIndex).toBeGreaterThan(bBefore);
    [aBefore, bBefore] = [aIndex, bIndex];
  }
}

describe("alignSteps", () => {
  it("finds a longest common subsequence, for 3,000 random pairs", () => {
    for (let round = 0; round < 3_000; round += 1) {
      const different = 2 + below(5);
      const a = steps(below(15), different);
      const b = steps(below(15), different);
      const pairs = alignSteps(a, b);
      expectAligned(a, b, pairs);
      expect(pairs.length, `${a} | ${b}`).toBe(longestCommonLength(a, b));
    }
  });

  it("returns pairs in order when it gives up on the longest", () => {
    for (let round = 0; round < 500; round += 1) {
      const a = steps(below(40), 6);
      const b = steps(below(40), 6);
      const pairs = alignSteps(a, b, 1 + below(4));
      expectAligned(a, b, pairs);
      expect(pairs.length).toBeLessThanOrEqual(longestCommonLength(a, b));
    }
  });

  it("finds most of what unrelated lines share", () => {
    const a = steps(1_500, 20);
    const b = steps(1_500, 20);
    const pairs = alignSteps(a, b, 100);
    expectAligned(a, b, pairs);
    expect(pairs.length).toBeGreaterThan(0.75 * longestCommonLength(a, b));
  });

  it("does work that grows with the length of unrelated lines, not with its square", () => {
    const reads = (length: number) => {
      let count = 0;
      const counted = new Proxy(steps(length, 1_000), {
        get(target, key) {
          count += 1;
          return Reflect.get(target, key);
        },
      });
      alignSteps(counted, steps(length, 1_000), 50);
      return count;
    };
    expect(reads(4_000)).toBeLessThan(3 * reads(2_000));
  });
});
