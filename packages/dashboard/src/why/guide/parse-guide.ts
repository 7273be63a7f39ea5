/** A piece of text. */
export interface Inline {
  kind: "text" | "strong" | "em" | "code";
  text: string;
}

export type Block =
  | { kind: "title" | "heading" | "subheading" | "paragraph"; content: Inline[] }
  | { kind: "list"; items: Inline[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] };

const INLINE = /\*\*(?<strong>[^*]+)\*\*|(?<![\w`])_(?<em>[^_]+)_(?!\w)|`(?<code>[^`]+)`/g;
const LINK = /\[([^\]]+)\]\([^)]*\)/g;

/** Parses the Markdown that the page "How Why counts" uses. Links lead to other files of the repository, so their text remains. */
export function parseGuide(markdown: string): Block[] {
  return markdown
    .trim()
    .split(/\n{2,}/)
    .map(parseBlock);
}

function parseBlock(block: string): Block {
  const lines = block.split("\n");
  if (block.startsWith("# ")) return { kind: "title", content: parseInline(block.slice(2)) };
  if (block.startsWith("## ")) return { kind: "heading", content: parseInline(block.slice(3)) };
  if (block.startsWith("### ")) return { kind: "subheading", content: parseInline(block.slice(4)) };
  if (block.startsWith("- ")) return { kind: "list", items: block.slice(2).split("\n- ").map(parseInline) };
  if (block.startsWith("|")) {
    const [head = [], , ...rows] = lines.map((line) => line.split("|").slice(1, -1).map(parseInline));
    return { kind: "table", head, rows };
  }
  return { kind: "paragraph", content: parseInline(block) };
}

function parseInline(markdown: string): Inline[] {
  const text = markdown.replace(LINK, "$1").replace(/\s+/g, " ").trim();
  const parts: Inline[] = [];
  let at = 0;
  const addText = (end: number) => {
    if (end > at) parts.push({ kind: "text", text: text.slice(at, end) });
  };
  for (const match of text.matchAll(INLINE)) {
    addText(match.index);
    const { strong, em, code } = match.groups ?? {};
    if (strong !== undefined) parts.push({ kind: "strong", text: strong });
    else if (em !== undefined) parts.push({ kind: "em", text: em });
    else parts.push({ kind: "code", text: code ?? "" });
    at = match.index + match[0].length;
  }
  addText(text.length);
  return parts;
}
