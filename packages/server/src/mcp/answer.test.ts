import { expect, it } from "vitest";
import { escapeLine } from "./answer.ts";

it.each(["\u202e", "\u200b", "\ufe0f", "\u{e0100}", "\u{e0041}", "\u0000"])(
  "%j is shown as an escape, since nobody would see it",
  (unseen) => {
    const line = escapeLine(JSON.stringify(`a${unseen}b`));
    expect(line).toMatch(/^"a(\\u[0-9a-f]{4})+b"$/);
    expect(JSON.parse(line)).toBe(`a${unseen}b`);
  },
);
