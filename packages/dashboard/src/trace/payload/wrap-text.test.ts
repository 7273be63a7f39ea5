import { expect, it } from "vitest";
import { wrapText } from "./wrap-text.ts";

const wrapped = (text: string, columns: number, maxLines?: number) =>
  wrapText(text, columns, maxLines).map(([from, to]) => text.slice(from, to));

it("breaks at line ends and, in long lines, at the last space or in the word", () => {
  expect(wrapped("one\n\ntwo three four", 10)).toEqual(["one", "", "two three ", "four"]);
  expect(wrapped("abcdefghijklmno", 6)).toEqual(["abcdef", "ghijkl", "mno"]);
  expect(wrapped("", 6)).toEqual([""]);
  expect(wrapped("a\n", 6)).toEqual(["a", ""]);
  expect(wrapped("a b c d e f", 2, 2)).toHaveLength(2);
});

it.each(["lorem ipsum ", "loremipsum__", "lorem\nipsum "])(
  "wraps 10 MB of %j in a moment, whether or not they have line ends and spaces",
  (words) => {
    const text = words.repeat(800_000);
    const lines = wrapText(text, 50);
    expect(lines.at(-1)?.[1]).toBe(text.length);
  },
  // Would take minutes if each line searched the rest of the text.
  20_000,
);
