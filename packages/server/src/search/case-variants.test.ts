import { describe, expect, it } from "vitest";
import { caseVariants, foldCase } from "./case-variants.ts";

describe("caseVariants", () => {
  it("are the code points with the same lower case", () => {
    const variants = (character: string) =>
      String.fromCodePoint(...caseVariants(character.codePointAt(0) ?? 0));
    expect(["k", "\u212a", "é", "Ж", "ß", "σ", "ς", "İ", "i", "𐐀", "日", "7"].map(variants)).toEqual([
      "Kk\u212a",
      "Kk\u212a",
      "Éé",
      "Жж",
      "ßẞ",
      "Σσ",
      "ς",
      "İ",
      "Ii",
      "𐐀𐐨",
      "日",
      "7",
    ]);
  });

  it("exist for no code point that the table leaves out", () => {
    for (let codePoint = 0x20000; codePoint <= 0x10ffff; codePoint += 1)
      if (foldCase(codePoint) !== codePoint) expect.fail(codePoint.toString(16));
  });
});
