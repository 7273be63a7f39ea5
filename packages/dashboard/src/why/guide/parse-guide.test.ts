import { expect, it } from "vitest";
import markdown from "../../../../../docs/why.md?raw";
import { type Block, type Inline, parseGuide } from "./parse-guide.ts";

const text = (content: Inline[]) => content.map((part) => part.text).join("");
const inlinesOf = (block: Block): Inline[][] =>
  block.kind === "list"
    ? block.items
    : block.kind === "table"
      ? [...block.head, ...block.rows.flat()]
      : [block.content];

it("reads headings, paragraphs, lists and tables, with bold, italic, code and links", () => {
  const blocks = parseGuide(
    "# How\n\n### Where\n\nA **run** of `a_b` is\n_one_, see [drift](cli.md#drift).\n\n- first\n  line\n- second\n\n| A | B |\n| --- | --- |\n| 1 | `x` |\n",
  );
  expect(blocks).toEqual([
    { kind: "title", content: [{ kind: "text", text: "How" }] },
    { kind: "subheading", content: [{ kind: "text", text: "Where" }] },
    {
      kind: "paragraph",
      content: [
        { kind: "text", text: "A " },
        { kind: "strong", text: "run" },
        { kind: "text", text: " of " },
        { kind: "code", text: "a_b" },
        { kind: "text", text: " is " },
        { kind: "em", text: "one" },
        { kind: "text", text: ", see drift." },
      ],
    },
    { kind: "list", items: [[{ kind: "text", text: "first line" }], [{ kind: "text", text: "second" }]] },
    {
      kind: "table",
      head: [[{ kind: "text", text: "A" }], [{ kind: "text", text: "B" }]],
      rows: [[[{ kind: "text", text: "1" }], [{ kind: "code", text: "x" }]]],
    },
  ]);
});

it("leaves no Markdown in the page that it is for", () => {
  const blocks = parseGuide(markdown);
  expect(blocks.filter(({ kind }) => kind === "heading").length).toBeGreaterThan(8);
  for (const content of blocks.flatMap(inlinesOf))
    expect(text(content.filter(({ kind }) => kind !== "code"))).not.toMatch(/\*\*|`|^#|\]\(|^\||---/);
});
