import { expect, it } from "vitest";
import { nextStep } from "./next-step.ts";

const place = (step: string, layer: number, x: number) =>
  [step, { step, layer, x, y: 0, width: 10 }] as const;

it("follows the path that was taken most, and moves between choices of one layer", () => {
  const nodes = new Map([place("0", 0, 0), place("a", 1, 0), place("b", 1, 50), place("c", 2, 0)]);
  const edge = (from: string, to: string, times: number) => ({ from, to, times });
  const edges = [edge("0", "a", 1), edge("0", "b", 9), edge("b", "c", 2), edge("c", "0", 5)];
  const next = (step: string, key: string) => nextStep({ nodes: [], edges }, nodes, step, key);
  expect(next("0", "ArrowDown")).toBe("b");
  expect(next("c", "ArrowUp")).toBe("b");
  expect(next("c", "ArrowDown")).toBeUndefined();
  expect(next("b", "ArrowLeft")).toBe("a");
  expect(next("b", "ArrowRight")).toBeUndefined();
});
