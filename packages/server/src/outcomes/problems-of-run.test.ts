import { expect, it } from "vitest";
import type { Definition } from "./definition.ts";
import { judgeRun } from "./judge-run.ts";
import type { JudgedScore } from "./judged-run.ts";
import { problemsOfRun } from "./problems-of-run.ts";

const score = (fields: Partial<JudgedScore>): JudgedScore => ({
  id: fields.name ?? "s",
  spanId: null,
  decisionId: null,
  name: "helpful",
  source: "user",
  author: "",
  kind: "boolean",
  number: 0,
  label: null,
  timestamp: "2026-11-17 12:00:00.000000",
  ...fields,
});

const DEFINITION: Definition = {
  agent: null,
  version: 1,
  bad: [
    { kind: "feedback" },
    { kind: "evaluator" },
    { kind: "tag", is: "refunded" },
    { kind: "cost", above: 0.5 },
    { kind: "status", is: "ERROR" },
  ],
};

function problems(status: "ERROR" | "COMPLETED", scores: JudgedScore[], fields: object = {}) {
  const run = {
    status,
    tags: [],
    metadata: {},
    totalCost: 0,
    totalDuration: null,
    events: [],
    decisions: [],
    ...fields,
  };
  const { reasons } = judgeRun(run, scores, DEFINITION);
  const error = () => ({ message: "order 4711 not found", spanId: "s1" });
  return problemsOfRun({ name: "agent 1234", definition: DEFINITION, reasons, scores, error });
}

it("names each reason for which a run is bad: the error first, then scores and conditions in their words", () => {
  const scores = [
    score({}),
    score({ name: "tone", source: "judge", kind: "label", number: null, label: "fail", spanId: "s2" }),
  ];
  const found = problems("ERROR", scores, { tags: ["refunded"], totalCost: 0.7 });
  expect(found.map(({ kind, text, spanId }) => [kind, text, spanId])).toEqual([
    ["error", "order # not found", "s1"],
    ["score", "helpful is bad", null],
    ["score", "tone: fail", "s2"],
    ["condition", "tag refunded", null],
    ["condition", "cost above $0.50", null],
  ]);
});

it("names a problem once, and at most 8 beside the error", () => {
  const again = [score({ id: "a", spanId: "s1" }), score({ id: "b", spanId: "s2" })];
  expect(problems("COMPLETED", again)).toHaveLength(1);
  const many = Array.from({ length: 20 }, (_, index) => score({ id: String(index), name: `score ${index}` }));
  expect(problems("ERROR", many)).toHaveLength(9);
  expect(problems("COMPLETED", many)).toHaveLength(8);
});

it("has no problems of a run that a review calls good, and one of its own if the review calls it bad", () => {
  const review = (number: number) => score({ id: "r", name: "review", source: "person", number });
  expect(problems("ERROR", [review(1), score({})])).toEqual([]);
  expect(problems("COMPLETED", [review(0)]).map(({ text }) => text)).toEqual(["review is bad"]);
});
