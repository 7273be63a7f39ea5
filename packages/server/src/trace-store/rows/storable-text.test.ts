import { MAX_ID_BYTES } from "@whytrace/contract";
import { expect, it } from "vitest";
import { isStorableId, storableText } from "./storable-text.ts";

it("makes a text storable, and truncates it between characters", () => {
  expect(storableText("plain", 5)).toBe("plain");
  expect(storableText("nul \0 half \ud800", 100)).toBe("nul \uFFFD half \uFFFD");
  expect(storableText("äöü", 5)).toBe("äö");
  expect(storableText("a😀b", 4)).toBe("a");
});

it("takes an id as it is, or not at all", () => {
  expect(isStorableId("session-1")).toBe(true);
  for (const id of ["", "nul \0", "half \ud800", "ä".repeat(MAX_ID_BYTES)])
    expect(isStorableId(id)).toBe(false);
});
