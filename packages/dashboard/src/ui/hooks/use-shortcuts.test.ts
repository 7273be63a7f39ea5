import { describe, expect, it } from "vitest";
import { findShortcut } from "./use-shortcuts.ts";

describe("a shortcut", () => {
  const go = () => {};
  const ignore = () => {};
  const shell = { "g i": go, t: () => {} };
  const page = { i: ignore };

  it("of two keys never does what its second key does alone, in any part of the page", () => {
    expect(findShortcut([shell, page], "g", "i")).toBe(go);
    expect(findShortcut([page, shell], "g", "i")).toBe(go);
  });

  it("of one key works, also after a key that begins no sequence", () => {
    expect(findShortcut([shell, page], undefined, "i")).toBe(ignore);
    expect(findShortcut([shell, page], "t", "i")).toBe(ignore);
  });

  it("that nobody knows does nothing: a slip after g changes no issue", () => {
    expect(findShortcut([{ "g t": go }, page], "g", "i")).toBeUndefined();
  });

  it("belongs to the part that was shown last", () => {
    const dialog = { i: go };
    expect(findShortcut([page, dialog], undefined, "i")).toBe(go);
  });
});
