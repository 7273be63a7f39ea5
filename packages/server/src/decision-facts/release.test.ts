import { expect, it } from "vitest";
import { releaseOf } from "./release.ts";

it.each([
  [[], null],
  [["prod", "eu"], null],
  [["prod", "release:2026-11-02"], "2026-11-02"],
  [["v1.0", "Version: 7 ", "release:8"], "7"],
  [["release:", "v2.3"], "v2.3"],
  [["prod", "v2.3.1-rc1", "v9.9"], "v2.3.1-rc1"],
  [["2.3.1"], "2.3.1"],
  [["2.3"], null],
  [["v2"], null],
  [["10.0.0.1"], null],
  [["very-1.2.3"], null],
])("finds the release of a trace with the tags %j", (tags, release) => {
  expect(releaseOf({ tags })).toBe(release);
});

it("is the version of the service if no tag says it", () => {
  expect(releaseOf({ tags: ["prod"], serviceVersion: "1.4.0" })).toBe("1.4.0");
  expect(releaseOf({ tags: ["v2.3"], serviceVersion: "1.4.0" })).toBe("v2.3");
});
