import { describe, expect, it } from "vitest";
import { parseInstant } from "./parse-instant.ts";

describe("an instant", () => {
  it("is the same in the usual form as in any other", () => {
    let state = 7;
    const random = (most: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % most;
    };
    const two = (value: number) => String(value).padStart(2, "0");
    for (let run = 0; run < 20_000; run += 1) {
      const date = `${String(random(10_000)).padStart(4, "0")}-${two(random(14))}-${two(random(33))}`;
      const time = `${two(random(26))}:${two(random(62))}:${two(random(62))}.${String(random(1_000)).padStart(3, "0")}`;
      // Another spelling of the same: it is read by the careful way.
      expect(parseInstant(`${date}T${time}Z`)).toBe(parseInstant(`${date}t${time}z`));
    }
  });

  it("in the usual form holds nothing but digits and its marks", () => {
    const usual = "2026-03-01T10:00:00.000Z";
    expect(parseInstant(usual)).toBe(Date.UTC(2026, 2, 1, 10));
    for (let place = 0; place < usual.length; place += 1)
      for (const wrong of ["x", " ", "/", ":x".slice(1)])
        expect(parseInstant(usual.slice(0, place) + wrong + usual.slice(place + 1))).toBeUndefined();
  });
});
