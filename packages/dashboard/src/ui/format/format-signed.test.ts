import { describe, expect, it } from "vitest";
import { formatPercent } from "./format-percent.ts";
import { formatSigned, formatSpan } from "./format-signed.ts";

describe("a signed number", () => {
  it.each([
    [97.4, "+97"],
    [-7.04, "−7"],
    [2.44, "+2.4"],
    [0.01, "0"],
    [12_345, "+12,345"],
  ])("%d is written %s", (value, text) => expect(formatSigned(value)).toBe(text));

  it("has a span without plus signs", () => {
    expect(formatSpan(-7, 10)).toBe("−7 to 10");
    expect(formatSpan(74.2, 116)).toBe("74 to 116");
  });
});

describe("a share in per cent", () => {
  it.each([
    [0, "0 %"],
    [1, "100 %"],
    [0.43, "43 %"],
    [0.009, "0.9 %"],
    [0.0001, "<0.1 %"],
    [0.9999, "99.9 %"],
  ])("%d is written %s, so that only none is 0 and only all is 100", (share, text) =>
    expect(formatPercent(share)).toBe(text),
  );
});
