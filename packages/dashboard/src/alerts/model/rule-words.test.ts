import { expect, it } from "vitest";
import { minutesWords, ruleLimit, ruleLine, ruleValue } from "./rule-words.ts";

it("says minutes in the largest unit that is exact, and long times in hours", () => {
  expect([5, 60, 90, 360, 1_440, 1_728, 2_880].map(minutesWords)).toEqual([
    "5 min",
    "1 h",
    "90 min",
    "6 h",
    "24 h",
    "29 h",
    "2 days",
  ]);
});

it("gives each figure the unit of its rule, and a dash if it is not known", () => {
  expect(ruleValue("failure_rate", 0.31)).toBe("31 %");
  expect(ruleValue("cost_per_day", 28.4)).toBe("$28.40");
  expect(ruleValue("duration_p95", 4_100)).toBe("4.10 s");
  expect(ruleValue("score_mean", 0.7777)).toBe("0.778");
  expect(ruleValue("failure_rate", null)).toBe("–");
});

it("says in a line what a rule looks at, and with which limit", () => {
  const rate = { kind: "failure_rate", name: "x", agent: "support", windowMinutes: 1_440 } as const;
  expect(ruleLine({ ...rate, comparedWith: "past" })).toBe("support · failure rate · 24 h against 14 days");
  expect(ruleLine({ kind: "cost_per_day", name: "x" })).toBe("all agents · cost since midnight UTC");
  expect(ruleLimit({ ...rate, above: 0.1 })).toBe("10 %");
  expect(ruleLimit(rate)).toBe(undefined);
});
