import { describe, expect, it } from "vitest";
import { readEvaluation } from "./read-evaluation.ts";

const TELLER = { scope: { name: "evals", version: "1" }, timeMs: 7 };
const read = (fields: Record<string, unknown>, teller = TELLER) =>
  readEvaluation({ "gen_ai.evaluation.name": "correct", ...fields }, teller);
const result = (value: unknown, label?: unknown) =>
  read({
    ...(value !== undefined && { "gen_ai.evaluation.score.value": value }),
    ...(label !== undefined && { "gen_ai.evaluation.score.label": label }),
  });

describe("the result of an evaluation", () => {
  it.each([
    [0, "fail", { value: false }],
    [1, "Passed", { value: true }],
    [undefined, "FALSE", { value: false }],
    [undefined, "true", { value: true }],
    [1, "fail", { value: 1, label: "fail" }],
    [0.5, "pass", { value: 0.5, label: "pass" }],
    [4, "relevant", { value: 4, label: "relevant" }],
    [-2.5, undefined, { value: -2.5 }],
    ["0.25", undefined, { value: 0.25 }],
    [true, undefined, { value: true }],
    [false, "fail", { value: false }],
    [undefined, "rude", { value: "rude" }],
    ["NaN", "rude", { value: "rude" }],
    [Number.POSITIVE_INFINITY, undefined, undefined],
    [undefined, undefined, undefined],
    [{}, "", undefined],
  ])("with value %j and label %j is %j", (value, label, wanted) => {
    const { value: read, label: words } = result(value, label) ?? {};
    expect(
      read === undefined ? undefined : { value: read, ...(words !== undefined && { label: words }) },
    ).toEqual(wanted);
  });

  it("is a judge's unless it says whose, by the library that told it, with everything else as metadata", () => {
    expect(
      read({
        "gen_ai.evaluation.score.value": 1,
        "gen_ai.evaluation.explanation": "exact",
        "gen_ai.response.id": "r-1",
        "event.name": "gen_ai.evaluation.result",
        "judge.model": "m",
        details: '{"steps":[1]}',
      }),
    ).toEqual({
      name: "correct",
      value: 1,
      comment: "exact",
      source: "judge",
      author: "evals",
      timeMs: 7,
      responseId: "r-1",
      metadata: '{"gen_ai.response.id":"r-1","judge.model":"m","details":{"steps":[1]}}',
    });
    const sources = ["code", "user", "person", "nobody"].map(
      (source) => read({ "gen_ai.evaluation.score.value": 1, "whytrace.score.source": source })?.source,
    );
    expect(sources).toEqual(["code", "user", "person", "judge"]);
    expect(
      read({ "gen_ai.evaluation.score.value": 1 }, { ...TELLER, scope: { name: "", version: "" } }),
    ).not.toHaveProperty("author");
  });

  it("is none without a name, or if the evaluator failed", () => {
    expect(read({ "gen_ai.evaluation.name": "", "gen_ai.evaluation.score.value": 1 })).toBeUndefined();
    expect(read({ "gen_ai.evaluation.score.value": 0, "error.type": "timeout" })).toBeUndefined();
  });

  it("is truncated to what a score may have, and made storable", () => {
    const long = read({
      "gen_ai.evaluation.name": "ä".repeat(150),
      "gen_ai.evaluation.score.label": "x".repeat(300),
      "gen_ai.evaluation.explanation": `\0${"x".repeat(5000)}`,
      large: "x".repeat(16_384),
      half: "\ud800",
      small: 1,
    });
    expect(long).toMatchObject({
      name: "ä".repeat(100),
      value: "x".repeat(200),
      metadata: '{"half":"\\ud800","small":1}',
    });
    expect(Buffer.byteLength(long?.comment ?? "")).toBe(4_000);
  });
});
