import { expect, it } from "vitest";
import { compareVersions } from "./compare-versions.ts";

it("orders versions by their numbers, and other names by their letters", () => {
  const sorted = ["v2.2.3", "v2.2.4", "v2.2.10", "v2.3.0", "v2.3.0-rc1", "v10.0.0"];
  expect(sorted.toReversed().sort(compareVersions)).toEqual(sorted);
  expect(["spring", "autumn", "2026-11-02", "2026-9-30"].sort(compareVersions)).toEqual([
    "2026-9-30",
    "2026-11-02",
    "autumn",
    "spring",
  ]);
});
