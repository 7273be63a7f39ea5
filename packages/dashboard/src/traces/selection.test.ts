import { describe, expect, it } from "vitest";
import { MAX_SELECTED, markOf, selectRange, toggleSelected } from "./selection.ts";

const LISTED = ["a", "b", "c", "d", "e"];

describe("a selection of traces", () => {
  it("adds a trace, removes it when it is selected again, and has a limit", () => {
    expect(toggleSelected(["a"], "b")).toEqual(["a", "b"]);
    expect(toggleSelected(["a", "b"], "a")).toEqual(["b"]);
    const full = Array.from({ length: MAX_SELECTED }, (_, n) => String(n));
    expect(toggleSelected(full, "one more")).toEqual(full);
  });

  it("extends from the trace that was selected last, in both directions", () => {
    expect(selectRange(["b"], LISTED, "d")).toEqual(["b", "c", "d"]);
    expect(selectRange(["a", "d"], LISTED, "b")).toEqual(["a", "d", "c", "b"]);
    expect(selectRange([], LISTED, "c")).toEqual(["c"]);
    expect(selectRange(["on another page"], LISTED, "c")).toEqual(["on another page", "c"]);
  });

  it("has letters for two traces, which can be compared", () => {
    expect(LISTED.map((id) => markOf(["b", "a"], id))).toEqual(["B", "A", undefined, undefined, undefined]);
    expect(markOf(["a", "b", "c"], "a")).toBe("✓");
  });
});
