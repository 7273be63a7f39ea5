import { expect, it } from "vitest";
import { formatRoundDuration } from "./round-duration.ts";

it.each([
  [0, "0"],
  [500, "500 ms"],
  [1_500, "1 s 500 ms"],
  [20_000, "20 s"],
  [60_000, "1 m"],
  [90_000, "1 m 30 s"],
  [3_600_000, "1 h"],
  [5_400_000, "1 h 30 m"],
  [172_800_000, "48 h"],
])("%d ms are %s", (ms, text) => expect(formatRoundDuration(ms)).toBe(text));
