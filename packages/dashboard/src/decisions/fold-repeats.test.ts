import type { DecisionRow } from "@whytrace/contract";
import { describe, expect, it } from "vitest";
import { outlineDecision } from "../../test/outline.ts";
import { foldRepeats, sumCosts } from "./fold-repeats.ts";

const row = (id: string, traceId: string, more: Partial<DecisionRow> = {}): DecisionRow => ({
  ...outlineDecision(id, 0),
  contextSnapshot: null,
  traceId,
  trace: { id: traceId, name: "run", status: "RUNNING", startedAt: "2026-01-01T00:00:00.000Z" },
  chosen: "retry",
  ...more,
});
const ids = (decisions: DecisionRow[]) =>
  foldRepeats(decisions).map((group) => group.decisions.map(({ id }) => id));

describe("repeated decisions", () => {
  it("of one trace are folded where the first one is, also if others are between them", () => {
    expect(
      ids([row("1", "a"), row("2", "b"), row("3", "a"), row("4", "a", { chosen: "stop" }), row("5", "a")]),
    ).toEqual([["1", "3", "5"], ["2"], ["4"]]);
  });

  it("have the same type and the same option, whatever its other fields are", () => {
    expect(
      ids([
        row("1", "a", { chosen: { tool: "read", path: "x" } }),
        row("2", "a", { chosen: { tool: "read", path: "y" } }),
        row("3", "a", { chosen: { tool: "read" }, type: "RETRY" }),
        row("4", "a", { chosen: { tool: "write" } }),
      ]),
    ).toEqual([["1", "2"], ["3"], ["4"]]);
  });

  it("cost what is known of them", () => {
    expect(sumCosts([row("1", "a", { costUsd: 0.5 }), row("2", "a", { costUsd: null })])).toBe(0.5);
    expect(sumCosts([row("1", "a", { costUsd: null })])).toBeNull();
  });
});
