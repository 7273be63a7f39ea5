import { describe, expect, it } from "vitest";
import { excerptOf } from "./excerpt.ts";
import { matchFields } from "./match-fields.ts";
import { compileSearchPattern } from "./search-pattern.ts";

describe("excerptOf", () => {
  const excerpt = (json: string, query: string) => {
    const bytes = Buffer.from(json);
    const fields = () => [{ start: 0, end: bytes.length }];
    const [match] = matchFields(bytes, "json", compileSearchPattern(query), fields);
    return match && excerptOf(bytes, match, "json");
  };

  it("shows the match as it was sent, decoded, with the text around it", () => {
    expect(excerpt('{"said":"a\\n\\"Caf\\u00e9\\" \\ud83d\\ude00","n":1}', "café")).toEqual({
      before: '{"said":"a\n"',
      match: "Café",
      after: '" 😀","n":1}',
    });
  });

  it("shows at most 60 characters on each side, and no half of one", () => {
    for (const unit of ["é", "\\u00e9", "😀", "\\ud83d\\ude00", "\\\\", "\\n"]) {
      const decoded = JSON.parse(`"${unit}"`);
      for (const padding of ["", "x", "xx", "xxx"])
        expect(excerpt(`"${padding}${unit.repeat(200)}here${unit.repeat(200)}"`, "HERE")).toEqual({
          before: decoded.repeat(60),
          match: "here",
          after: decoded.repeat(60),
        });
    }
  });
});
