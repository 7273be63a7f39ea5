import { describe, expect, it } from "vitest";
import markdown from "../../../../docs/words.md?raw";
import { WORDS } from "./words.ts";

const sources = import.meta.glob<string>("../**/*.tsx", { query: "?raw", import: "default", eager: true });

describe.each(Object.entries(WORDS))("what a newcomer asks about %s", (word, answer) => {
  it("is answered as the page of all words does", () => {
    const heading = `## ${word.charAt(0).toUpperCase()}${word.slice(1)}`;
    expect(markdown.replaceAll("`", "")).toContain(`${heading}\n\n${answer}\n`);
  });

  it("is answered on a page where the word arises", () => {
    expect(Object.values(sources).some((source) => source.includes(`<Term word="${word}"`))).toBe(true);
  });
});
