import { describe, expect, it } from "vitest";
import { sidesOf } from "./releases-search.ts";

const history = (...names: (string | null)[]) => ({
  releases: names.map((name) => ({
    name,
    group: null,
    firstAt: "2026-11-01T00:00:00.000Z",
    lastAt: "2026-11-02T00:00:00.000Z",
    runs: 1,
    badRuns: 0,
  })),
});

describe("sidesOf", () => {
  it("compares the newest release with the one before it, or what the address names", () => {
    const releases = history(null, "1", "2", "3");
    expect(sidesOf({}, releases)).toEqual({ releases: { current: "3", base: "2" } });
    expect(sidesOf({ release: "2" }, releases)).toEqual({ releases: { current: "2", base: "1" } });
    expect(sidesOf({ base: "3", range: "90d" }, releases)).toEqual({
      range: "90d",
      releases: { current: "2", base: "3" },
    });
  });

  it("compares the last week with the one before if there are no two releases, or if asked to", () => {
    expect(sidesOf({}, history(null, "1"))).toEqual({ range: "7d" });
    expect(sidesOf({ by: "time", range: "30d" }, history("1", "2"))).toEqual({ range: "30d" });
  });
});
