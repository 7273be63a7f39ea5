import type { Condition } from "@whytrace/contract/schemas/outcomes";
import { describe, expect, it } from "vitest";
import { BUILT_IN, type Definition } from "./definition.ts";
import { judgeRun, OUTCOME_FLAGS, SOURCE_FLAGS } from "./judge-run.ts";
import type { JudgedRun, JudgedScore } from "./judged-run.ts";

const run = (fields: Partial<JudgedRun> = {}): JudgedRun => ({
  status: "COMPLETED",
  tags: [],
  metadata: {},
  totalCost: null,
  totalDuration: null,
  events: [],
  decisions: [],
  ...fields,
});

let lastId = 0;
/** A score with a value of any kind. Later ones have later timestamps. */
function score(value: number | boolean | string, fields: Partial<JudgedScore> = {}): JudgedScore {
  lastId += 1;
  const timestamp = String(lastId).padStart(6, "0");
  const kind = typeof value === "string" ? "label" : typeof value === "number" ? "number" : "boolean";
  return {
    id: `s${timestamp}`,
    spanId: null,
    decisionId: null,
    name: "correct",
    source: "judge",
    author: "",
    kind,
    number: typeof value === "string" ? null : Number(value),
    label: typeof value === "string" ? value : null,
    timestamp,
    ...fields,
  };
}

const by = (...bad: Condition[]): Definition => ({ agent: null, version: 1, bad });
const isFalse = (missing?: "good" | "asked" | "unknown"): Condition => ({
  kind: "score",
  name: "correct",
  op: "is",
  value: false,
  ...(missing && { missing }),
});
const outcome = (
  scores: JudgedScore[],
  definition = by(isFalse("unknown")),
  fields: Partial<JudgedRun> = {},
) => judgeRun(run(fields), scores, definition).outcome;

describe("a run", () => {
  it("is open while it runs, whatever is known", () => {
    const review = score(false, { name: "review", source: "person" });
    expect(outcome([review], BUILT_IN, { status: "RUNNING" })).toBe("open");
  });

  it("is judged by a review before all else: the latest of each person, by majority; a tie is bad and disputed", () => {
    const review = (value: boolean, author: string) =>
      score(value, { name: "review", source: "person", author });
    const failed = { status: "ERROR" } as const;
    expect(outcome([review(true, "a")], BUILT_IN, failed)).toBe("good");
    expect(outcome([review(true, "a"), review(false, "a")], BUILT_IN)).toBe("bad");
    expect(outcome([review(false, "a"), review(true, "b"), review(true, "c")], BUILT_IN)).toBe("good");
    const tie = judgeRun(run(), [review(false, "a"), review(true, "b")], BUILT_IN);
    expect([tie.outcome, tie.flags & OUTCOME_FLAGS.disputed, tie.reasons[0]?.condition]).toEqual([
      "bad",
      OUTCOME_FLAGS.disputed,
      "review",
    ]);
  });

  it("that a reviewer calls bad is still bad by what is known of it without reviews", () => {
    const review = score(false, { name: "review", source: "person" });
    const { badByObserved, badByScores } = OUTCOME_FLAGS;
    const badBy = (fields: Partial<JudgedRun>) =>
      judgeRun(run(fields), [review], by({ kind: "status", is: "ERROR" }, { kind: "tag", is: "refunded" }))
        .flags &
      (badByObserved | badByScores);
    expect(badBy({})).toBe(badByScores);
    expect(badBy({ tags: ["refunded"] })).toBe(badByObserved | badByScores);
    expect(badBy({ status: "ERROR" })).toBe(badByObserved | badByScores);
  });

  it("is not reviewed by a score on a span, by a judge, or by a number", () => {
    for (const fields of [{ spanId: "s" }, { source: "judge" as const }, { kind: "number" as const }])
      expect(
        outcome([score(true, { name: "review", source: "person", ...fields })], BUILT_IN, {
          status: "ERROR",
        }),
      ).toBe("bad");
  });

  it("is bad by what is built in for errors, unhappy users and failed evaluations, and by no number", () => {
    expect(outcome([], BUILT_IN, { status: "ERROR" })).toBe("bad");
    expect(outcome([score(false, { source: "user" })], BUILT_IN)).toBe("bad");
    expect(outcome([score(false, { source: "person" })], BUILT_IN)).toBe("good");
    for (const label of ["FAIL", "failed", "Incorrect", "not relevant", "NOT_grounded", "unsafe"])
      expect([label, outcome([score(label)], BUILT_IN)]).toEqual([label, "bad"]);
    for (const label of ["pass", "nothing", "failing", "note", "not"])
      expect([label, outcome([score(label)], BUILT_IN)]).toEqual([label, "good"]);
    expect(outcome([score(0), score(-5, { source: "user" })], BUILT_IN)).toBe("good");
    expect(outcome([score(0.1, { label: "fail" })], BUILT_IN)).toBe("bad");
    expect(outcome([score("wrong", { source: "user" })], BUILT_IN)).toBe("good");
  });
});

describe("several scores of one name", () => {
  it.each([
    ["bad", [score(true, { source: "code" }), score(false, { source: "code" })]],
    ["bad", [score(false, { source: "code" }), score(true, { source: "code" })]],
    ["good", [score(false, { source: "user", author: "a" }), score(true, { source: "user", author: "a" })]],
    ["bad", [score(true, { source: "user", author: "a" }), score(false, { source: "user", author: "b" })]],
    ["good", [true, true, false].map((value, n) => score(value, { author: `j${n}` }))],
    ["bad", [false, false, true].map((value, n) => score(value, { author: `j${n}` }))],
    ["unknown", [score(false, { author: "a" }), score(true, { author: "b" })]],
    [
      "bad",
      [score(false, { source: "person", author: "a" }), score(true, { source: "person", author: "b" })],
    ],
    ["good", [score(false), score(true, { source: "person" })]],
    ["bad", [score(true, { source: "user" }), score(false, { source: "code" })]],
    ["bad", [score(true), score(false, { spanId: "s" })]],
  ])("are %s by the rule of their source: %#", (want, scores) => {
    expect(outcome(scores)).toBe(want);
  });

  it("of numbers are compared by their mean if judges or people gave them, by the worst otherwise", () => {
    const below = by({ kind: "score", name: "correct", op: "below", value: 3, missing: "unknown" });
    const numbers = (source: JudgedScore["source"]) =>
      [1, 6].map((value, n) => score(value, { source, author: `a${n}` }));
    expect(
      ["judge", "person", "code", "user"].map((source) => outcome(numbers(source as "judge"), below)),
    ).toEqual(["good", "good", "bad", "bad"]);
  });
});

describe("a condition", () => {
  it("says whether what is missing is good, unknown, or good where it was asked for", () => {
    const asked = { metadata: { "whytrace.feedback": ["other", "correct"] } };
    expect([
      outcome([], by(isFalse())),
      outcome([], by(isFalse("good"))),
      outcome([], by(isFalse("unknown"))),
    ]).toEqual(["good", "good", "unknown"]);
    expect([outcome([], by(isFalse("asked"))), outcome([], by(isFalse("asked")), asked)]).toEqual([
      "unknown",
      "good",
    ]);
    expect(judgeRun(run(asked), [], BUILT_IN).flags).toBe(OUTCOME_FLAGS.asked);
    expect(judgeRun(run(), [], by(isFalse("unknown"))).missing).toEqual(["correct"]);
  });

  it("that is true outweighs one that is missing", () => {
    expect(outcome([], by({ kind: "status", is: "ERROR" }, isFalse("unknown")), { status: "ERROR" })).toBe(
      "bad",
    );
  });

  it.each<[Condition, Partial<JudgedRun>, Partial<JudgedRun>]>([
    [{ kind: "tag", is: "refunded" }, { tags: ["a", "refunded"] }, { tags: ["Refunded"] }],
    [
      { kind: "metadata", key: "tier", op: "in", value: ["gold", 3] },
      { metadata: { tier: 3 } },
      { metadata: { tier: { toString: 1 } } },
    ],
    [
      { kind: "metadata", key: "n", op: "above", value: 2 },
      { metadata: { n: 2.5 } },
      { metadata: { n: "" } },
    ],
    [{ kind: "metadata", key: "constructor", op: "is", value: "x" }, { metadata: { constructor: "x" } }, {}],
    [{ kind: "cost", above: 0.5 }, { totalCost: 0.6 }, { totalCost: 0.5 }],
    [{ kind: "duration", aboveMs: 10 }, { totalDuration: 11 }, {}],
    [
      { kind: "event", type: "CUSTOM", name: "handover" },
      { events: [{ id: "e", type: "CUSTOM", name: "handover" }] },
      { events: [{ id: "e", type: "ERROR", name: "handover" }] },
    ],
    [
      { kind: "decision", option: "order 4711" },
      { decisions: [{ id: "d", type: "ROUTING", option: "order 4712" }] },
      { decisions: [{ id: "d", type: "ROUTING", option: null }] },
    ],
  ])("%j holds for such runs and no others", (condition, bad, good) => {
    expect([outcome([], by(condition), bad), outcome([], by(condition), good)]).toEqual(["bad", "good"]);
  });

  it("on a score looks at source and place if it names them", () => {
    const of = (fields: object) => by({ ...isFalse("unknown"), ...fields } as Condition);
    const onSpan = score(false, { spanId: "s" });
    expect(outcome([onSpan], of({ at: "run" }))).toBe("unknown");
    expect(judgeRun(run(), [onSpan], of({ at: "span" })).reasons[0]?.place).toEqual({
      kind: "span",
      id: "s",
    });
    expect(outcome([onSpan], of({ source: "code" }))).toBe("unknown");
  });
});

describe("who judged a run", () => {
  const sourcesOf = (scores: JudgedScore[], definition = BUILT_IN) => {
    const { flags } = judgeRun(run(), scores, definition);
    const having = (kind: "answered" | "bad") =>
      (["user", "judge", "code", "person"] as const).filter(
        (source) => (flags & SOURCE_FLAGS[source][kind]) !== 0,
      );
    return { answered: having("answered"), bad: having("bad") };
  };

  it("is recorded by source, with who said that it is bad, also if a review decides otherwise", () => {
    expect(sourcesOf([])).toEqual({ answered: [], bad: [] });
    const scores = [score(false, { source: "user" }), score(true), score("fail", { source: "code" })];
    expect(sourcesOf(scores)).toEqual({ answered: ["user", "judge", "code"], bad: ["user", "code"] });
    const review = score(true, { name: "review", source: "person" });
    expect(sourcesOf([...scores, review])).toEqual({
      answered: ["user", "judge", "code", "person"],
      bad: ["user", "code"],
    });
    expect(sourcesOf([score(false, { name: "review", source: "person" })]).bad).toEqual(["person"]);
  });

  it("counts only for scores that a condition looks for", () => {
    const other = score(false, { name: "other", source: "user" });
    expect(sourcesOf([other], by(isFalse("unknown")))).toEqual({ answered: [], bad: [] });
    const flags = judgeRun(run(), [other, score(false)], by(isFalse())).flags;
    expect(flags).toBeLessThan(2 ** 15);
  });
});

describe("the fingerprint of a reason", () => {
  const printsOf = (scores: JudgedScore[], definition = BUILT_IN, fields: Partial<JudgedRun> = {}) =>
    judgeRun(run(fields), scores, definition).reasons.map(({ fingerprint }) => fingerprint);

  it("is the same for the same name and label, and of no other score; the status has none", () => {
    const [one] = printsOf([score("fail", { name: "tone" })]);
    expect(printsOf([score("fail", { name: "tone", source: "code", spanId: "s" })])).toEqual([one]);
    expect(printsOf([score("wrong", { name: "tone" })])).not.toEqual([one]);
    expect(printsOf([score("fail", { name: "facts" })])).not.toEqual([one]);
    expect(printsOf([], BUILT_IN, { status: "ERROR" })).toEqual([null]);
  });

  it("is that of the words of a condition, in the order of conditions", () => {
    const tag = by({ kind: "tag", is: "refunded" });
    const [ofTag] = printsOf([], tag, { tags: ["refunded"] });
    const both = by({ kind: "duration", aboveMs: 10 }, { kind: "tag", is: "refunded" });
    const prints = printsOf([], both, { tags: ["refunded"], totalDuration: 20 });
    expect(prints).toHaveLength(2);
    expect(prints[1]).toBe(ofTag);
  });
});
