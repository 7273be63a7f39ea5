import { expect, it } from "vitest";
import { watchFindings } from "./watch-findings.ts";

const finding = (adjusted: number, option = 1, kind: "chose" | "left out" = "chose") => ({
  kind,
  option,
  adjusted,
});

it("lets a finding enter at a tenth of the level only, and stay while it holds at the level", () => {
  const days = [0.02, 0.004, 0.04, 0.049, 0.05, 0.02];
  const since: (number | undefined)[] = [];
  let listed: ReturnType<typeof watchFindings<ReturnType<typeof finding>, number>> = [];
  for (const [day, adjusted] of days.entries()) {
    listed = watchFindings(listed, [finding(adjusted)], day);
    since.push(listed[0]?.since);
  }
  expect(since).toEqual([undefined, 1, 1, 1, undefined, undefined]);
});

it("tells options, and choosing from leaving out, apart; what is no longer found leaves", () => {
  const listed = [{ finding: finding(0.001), since: 1 }];
  expect(watchFindings(listed, [finding(0.02, 2), finding(0.02, 1, "left out")], 2)).toEqual([]);
  expect(watchFindings(listed, [], 2)).toEqual([]);
  expect(watchFindings(listed, [finding(0.02)], 2)).toEqual([{ finding: finding(0.02), since: 1 }]);
});
