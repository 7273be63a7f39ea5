import { expect, it } from "vitest";
import markdown from "../../../docs/words.md?raw";
import { WORDS } from "./words.ts";

it.each(Object.entries(WORDS))("answers what a %s is as the page of all words does", (word, answer) => {
  const heading = `## ${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  expect(markdown.replaceAll("`", "")).toContain(`${heading}\n\n${answer}\n`);
});
