import type { OutcomeReason, RunOutcome, Score } from "@whytrace/contract";
import { describe, expect, it } from "vitest";
import { distinctReasons, outcomeWords } from "./outcome-words.ts";

const RUN = { kind: "run", id: null } as const;
const reason = (scoreId: string | null, text: string, condition = 0): OutcomeReason => ({
  ...{ condition, kind: "feedback", text, place: RUN, scoreId },
});
const judged = (outcome: RunOutcome["outcome"], reasons: OutcomeReason[], missing: string[] = []) => ({
  ...{ outcome, reasons, missing, definition: { agent: null, version: 0 } },
});
const HELPFUL: Score = {
  ...{
    id: "a",
    traceId: "t",
    spanId: null,
    decisionId: null,
    name: "helpful",
    kind: "boolean",
    value: false,
  },
  ...{ label: null, source: "user", author: null, comment: null, metadata: null, isWaiting: false },
  ...{ timestamp: "2026-01-01T00:00:00.000Z", createdAt: "2026-01-01T00:00:00.000Z" },
};

describe("the words for an outcome", () => {
  it("name the first reason by its score, and count the others", () => {
    const reasons = [reason("a", "A user said false for helpful"), reason("b", "…"), reason("c", "…")];
    expect(outcomeWords(judged("bad", reasons), [HELPFUL])).toBe("Bad: helpful false and 2 more");
    expect(outcomeWords(judged("bad", reasons.slice(0, 1)), [HELPFUL])).toBe("Bad: helpful false");
  });

  it("say what else was found, and what is missing", () => {
    expect(outcomeWords(judged("bad", [reason(null, "The run ended in ERROR")]), [])).toBe(
      "Bad: ended in ERROR",
    );
    expect(outcomeWords(judged("bad", [reason("gone", "A user said false for x")]), undefined)).toBe(
      "Bad: a user said false for x",
    );
    expect(outcomeWords(judged("unknown", [], ["helpful"]), [])).toBe("Unknown: helpful is missing");
    expect(outcomeWords(judged("unknown", [], ["a", "b"]), [])).toBe("Unknown: a, b are missing");
    expect(outcomeWords(judged("good", []), [])).toBe("Good");
  });

  it("count a score once that several conditions look at, in the order of the conditions", () => {
    const reasons = [reason("a", "1"), reason("b", "2", 1), reason("a", "3", 2)];
    expect(distinctReasons(judged("bad", reasons)).map(({ text }) => text)).toEqual(["1", "2"]);
  });
});
