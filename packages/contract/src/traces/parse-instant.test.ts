import { describe, expect, it } from "vitest";
import { parseInstant } from "./parse-instant.ts";

describe("parseInstant", () => {
  it("returns the same for the common form as for the general form", () => {
    let state = 7;
    const random = (max: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % max;
    };
    const two = (value: number) => String(value).padStart(2, "0");
    for (let run = 0; run < 20_000; run += 1) {
      const date = `${String(random(10_000)).padStart(4, "0")}-${two(random(14))}-${two(random(33))}`;
      const time = `${two(random(26))}:${two(random(62))}:${two(random(62))}.${String(random(1_000)).padStart(3, "0")}`;
      // With lowercase letters, the same date is parsed as the general form.
      expect(parseInstant(`${date}T${time}Z`)).toBe(parseInstant(`${date}t${time}z`));
    }
  });

  it("refuses the common form with any character replaced by an invalid one", () => {
    const common = "2026-03-01T10:00:00.000Z";
    expect(parseInstant(common)).toBe(Date.UTC(2026, 2, 1, 10));
    for (let index = 0; index < common.length; index += 1)
      for (const invalid of ["x", " ", "/"])
        expect(parseInstant(common.slice(0, index) + invalid + common.slice(index + 1))).toBeUndefined();
  });
});
