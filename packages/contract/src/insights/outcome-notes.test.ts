import { describe, expect, it } from "vitest";
import { outcomeNoteParts, outcomeNotes } from "./outcome-notes.ts";

const answers = {
  runs: 1_000,
  sources: ["user" as const],
  answered: 236,
  bad: 85,
  isOneSided: false,
  contradictions: [],
};

describe("a page that counts outcomes", () => {
  it("says nothing if everything is counted", () => {
    expect(outcomeNotes({ runs: 100, leftOut: { runs: 0, missing: [] }, answers: null })).toEqual([]);
  });

  it("says how many runs it counts, and which it leaves out, by what is missing", () => {
    const missing = [{ name: "feedback", runs: 582, isNotAsked: true as const }];
    expect(outcomeNotes({ runs: 2_140, leftOut: { runs: 582, missing } })).toEqual([
      "Counted 1,558 of 2,140 runs. Left out: 582 that were not asked.",
    ]);
    const named = [
      { name: "stars", runs: 30, isNotAsked: true as const },
      { name: "correct", runs: 12 },
    ];
    expect(outcomeNotes({ runs: 100, leftOut: { runs: 42, missing: named } })).toEqual([
      "Counted 58 of 100 runs. Left out: 30 that were not asked for stars, 12 without a score correct.",
    ]);
    expect(outcomeNotes({ runs: 100, leftOut: { runs: 3, missing: [] } })).toEqual([
      "Counted 97 of 100 runs. Left out: 3 whose outcome is unknown.",
    ]);
  });

  it("says of each number of runs that are left out what they miss, so that it can be linked", () => {
    const named = [{ name: "stars", runs: 30, isNotAsked: true as const }];
    const partsOf = (missing: typeof named) =>
      outcomeNoteParts({ runs: 100, leftOut: { runs: 30, missing } })[0]?.filter((part) => "leftOut" in part);
    expect(partsOf(named)).toEqual([{ text: "30 that were not asked for stars", leftOut: named[0] }]);
    expect(partsOf([])).toEqual([{ text: "30 whose outcome is unknown", leftOut: null }]);
  });

  it("does not take the share of bad votes for that of unhappy users", () => {
    expect(outcomeNotes({ runs: 1_000, answers })).toEqual([
      "36 % of the votes are bad; that is not the share of unhappy users.",
    ]);
  });

  it("says that only complaints come", () => {
    expect(outcomeNotes({ runs: 1_000, answers: { ...answers, isOneSided: true } })).toEqual([
      "Complaints only. Whether users complain more after an option because it is worse, or because they are asked more often, cannot be told.",
    ]);
  });

  it("says in how many runs sources contradict each other", () => {
    const contradictions = [{ sources: ["user" as const, "judge" as const], runs: 236, differ: 41 }];
    expect(outcomeNotes({ runs: 1_000, answers: { ...answers, contradictions } })).toContain(
      "Judge and users differ in 41 of 236 runs that have both.",
    );
  });

  it("says from which day on it counts while runs are judged again", () => {
    const judging = { countedFrom: "2026-11-03T00:00:00.000Z", runsLeft: 41_200 };
    expect(outcomeNotes({ runs: 10, judging })).toEqual([
      "Counted from 3 November on; 41,200 older runs are being read again.",
    ]);
    expect(outcomeNotes({ runs: 0, judging: { countedFrom: null, runsLeft: 1 } })).toEqual([
      "Nothing is counted yet: 1 run is being read again.",
    ]);
    expect(outcomeNotes({ runs: 9, judging: { countedFrom: null, runsLeft: 412, isMixed: true } })).toEqual([
      "All days are counted, although 412 runs are still judged by the definition before and being read again.",
    ]);
  });
});
