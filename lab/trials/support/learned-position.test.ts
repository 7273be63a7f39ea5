import { expect, it } from "vitest";
import { rankByLearnedPosition } from "./learned-position.ts";

const STEPS = ["plan", "search", "code", "answer"];

it("finds the step at which others made their mistakes", () => {
  const failures = Array.from({ length: 20 }, () => ({ chosen: STEPS, mistake: 2 }));
  expect(rankByLearnedPosition(failures)).toEqual(failures.map(() => 1));
});

it("learns nothing from the run that it ranks", () => {
  const others = Array.from({ length: 20 }, () => ({ chosen: STEPS, mistake: 2 }));
  expect(rankByLearnedPosition([...others, { chosen: STEPS, mistake: 0 }]).at(-1)).not.toBe(1);
  expect(rankByLearnedPosition([{ chosen: STEPS, mistake: 3 }])).toEqual([4]);
});

it("follows whose steps go wrong, wherever these are", () => {
  const orders = [
    ["a", "b", "c"],
    ["b", "c", "a"],
    ["c", "a", "b"],
  ];
  const failures = Array.from({ length: 30 }, (_, index) => {
    const chosen = orders[index % 3] ?? [];
    return { chosen, mistake: chosen.indexOf("b") };
  });
  expect(rankByLearnedPosition(failures).every((rank) => rank === 1)).toBe(true);
});
