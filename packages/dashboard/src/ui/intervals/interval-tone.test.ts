import { expect, it } from "vitest";
import { intervalTone } from "./interval-tone.ts";

it.each([
  [{ low: 1, high: 2 }, 0.9, "worse"],
  [{ low: 1, high: 2 }, 2.1, "better"],
  [{ low: 1, high: 2 }, 1, "unclear"],
  [{ low: 1, high: 2 }, 2, "unclear"],
  [{ low: 1, high: 2 }, undefined, "unclear"],
] as const)(
  "the interval %o compared with %s is %s: only one that lies wholly on one side is told apart",
  (interval, comparedWith, tone) => {
    expect(intervalTone(interval, comparedWith)).toBe(tone);
  },
);
