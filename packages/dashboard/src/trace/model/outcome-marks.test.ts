import type { OutcomeReason, RunOutcome } from "@whytrace/contract";
import { describe, expect, it } from "vitest";
import { outlineDecision as decision, outline, outlineSpan as span } from "../../../test/outline.ts";
import { buildTree } from "./build-tree.ts";
import { outcomeMarks } from "./outcome-marks.ts";

const reason = (
  text: string,
  kind: OutcomeReason["place"]["kind"] = "run",
  id: string | null = null,
): OutcomeReason => ({ condition: 0, kind: "score", text, place: { kind, id }, scoreId: null });
const bad = (...reasons: OutcomeReason[]): RunOutcome => ({
  ...{ outcome: "bad", reasons, missing: [], definition: { agent: null, version: 0 } },
});
const tree = buildTree(
  outline([span("root", [0, 10]), span("reply", [7, 8], "root")], [decision("plan", 1, null)]),
);
const marksOf = (outcome: RunOutcome, of = tree) => Object.fromEntries(outcomeMarks(of, outcome, []));

describe("marks of an outcome", () => {
  it("are at the span or decision, and on the root span for what concerns the run", () => {
    expect(marksOf(bad(reason("A"), reason("B", "span", "reply"), reason("C", "decision", "plan")))).toEqual({
      "s:root": ["a"],
      "s:reply": ["b"],
      "d:plan": ["c"],
    });
  });

  it("are on the root span for a place that is not in the trace, and nowhere without a single root span", () => {
    const outcome = bad(reason("A", "span", "gone"), reason("B"));
    expect(marksOf(outcome)).toEqual({ "s:root": ["a", "b"] });
    expect(marksOf(outcome, buildTree(outline([span("one", [0, 1]), span("two", [1, 2])], [])))).toEqual({});
  });

  it("leave out the status: errors are marked anyway", () => {
    expect(marksOf(bad({ ...reason("The run ended in ERROR"), kind: "status" }))).toEqual({});
    expect(outcomeMarks(tree, undefined, undefined).size).toBe(0);
  });
});
