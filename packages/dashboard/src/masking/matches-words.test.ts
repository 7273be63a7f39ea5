import { expect, it } from "vitest";
import { matchesSince, ruleMatches, typesMasked } from "./matches-words.ts";

const NOW = Date.parse("2026-11-18T12:00:00Z");

it("says over which time matches are counted, also if it is less than a week", () => {
  expect(matchesSince("2026-11-11T11:59:58.000Z", NOW)).toBe("in the last 7 days");
  expect(matchesSince("2026-11-17T06:00:00.000Z", NOW)).toBe("in the last 30 h");
  expect(matchesSince("2026-11-18T11:55:00.000Z", NOW)).toBe("in the last 1 h");
});

it("puts the most frequent type first", () => {
  const types = { secret: 2, email: 1_204, notChecked: 1 };
  expect(typesMasked({ since: "", types, rules: {} })).toBe("1,204 email, 2 secret, 1 not checked");
  expect([ruleMatches(0), ruleMatches(1)]).toEqual(["0 matches", "1 match"]);
});
