import { wrapText } from "./wrap-text.ts";

export type TokenKind = "text" | "number" | "keyword" | "bracket" | "note";

/** One line on the screen. */
export interface JsonLine {
  node: number;
  depth: number;
  /** The member's name, on the first line of its value. */
  name: string | null;
  token: string;
  kind: TokenKind;
  /** What pressing the line's arrow does; null when there is nothing to fold. */
  fold: "open" | "closed" | null;
  /** A text that is itself JSON, and whether it is shown as such. */
  nested: "text" | "unfolded" | null;
}

interface JsonNode {
  id: number;
  value: unknown;
  name: string | null;
  depth: number;
  parent: JsonNode | null;
  isOpen: boolean;
  isUnfolded: boolean;
  children: JsonNode[] | null;
}

interface Match {
  node: JsonNode;
  /** Where in the text; -1 for a match in the name. */
  offset: number;
}

const OPEN_AT_FIRST = 400;
const CLOSED_LINES = 12;
const MATCHES_MAX = 10_000;
/** Room for the button that shows a text as JSON. */
const NESTED_COLUMNS = 16;
const NESTED_MAX_LENGTH = 2_000_000;

/** A JSON value as lines that fold, wrap and can be searched. It may be ten megabytes: only what is open is laid out. */
export class JsonDocument {
  readonly #nodes: JsonNode[] = [];
  readonly #root: JsonNode;
  #columns: number;
  #lines: JsonLine[] = [];
  #lineOfNode = new Map<number, number>();
  #matches: Match[] = [];

  constructor(value: unknown, columns = 80) {
    this.#columns = columns;
    this.#root = this.#add(value, null, null);
    this.#openFirst(this.#root);
    this.#layOut();
  }

  get lineCount() {
    return this.#lines.length;
  }

  lines(from: number, to: number): JsonLine[] {
    return this.#lines.slice(from, to);
  }

  wrapAt(columns: number) {
    if (columns === this.#columns) return;
    this.#columns = columns;
    this.#layOut();
  }

  toggle(id: number) {
    const node = this.#nodes[id];
    if (!node) return;
    node.isOpen = !node.isOpen;
    this.#layOut();
  }

  /** Shows a text that holds JSON as that JSON, and back. */
  toggleNested(id: number) {
    const node = this.#nodes[id];
    if (!node || typeof node.value !== "string") return;
    node.isUnfolded = !node.isUnfolded;
    node.children = null;
    node.isOpen = true;
    if (node.isUnfolded) this.#openFirst(node);
    this.#layOut();
  }

  /** How many names and values hold the text, in any case. */
  search(text: string): number {
    this.#matches = [];
    const wanted = text.toLowerCase();
    if (wanted === "") return 0;
    const stack: JsonNode[] = [this.#root];
    for (let node = stack.pop(); node && this.#matches.length < MATCHES_MAX; node = stack.pop()) {
      if (node.name?.toLowerCase().includes(wanted)) this.#matches.push({ node, offset: -1 });
      const children = this.#childrenOf(node);
      if (children) for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as JsonNode);
      else this.#matchText(node, wanted);
    }
    return this.#matches.length;
  }

  /** Opens what hides a match, and says on which line it is. */
  reveal(place: number): number {
    const match = this.#matches[place];
    if (!match) return 0;
    for (let node = match.node.parent; node; node = node.parent) node.isOpen = true;
    if (match.offset >= 0) match.node.isOpen = true;
    this.#layOut();
    const first = this.#lineOfNode.get(match.node.id) ?? 0;
    if (match.offset < 0 || typeof match.node.value !== "string") return first;
    const slices = wrapText(match.node.value, this.#textColumns(match.node));
    const within = slices.findIndex(([, to]) => match.offset < to);
    return first + Math.max(0, within);
  }

  #matchText(node: JsonNode, wanted: string) {
    const text = String(node.value).toLowerCase();
    for (
      let offset = text.indexOf(wanted);
      offset >= 0 && this.#matches.length < MATCHES_MAX;
      offset = text.indexOf(wanted, offset + wanted.length)
    )
      this.#matches.push({ node, offset });
  }

  #add(value: unknown, name: string | null, parent: JsonNode | null): JsonNode {
    const node: JsonNode = {
      id: this.#nodes.length,
      value,
      name,
      depth: parent ? parent.depth + 1 : 0,
      parent,
      isOpen: false,
      isUnfolded: false,
      children: null,
    };
    this.#nodes.push(node);
    return node;
  }

  #childrenOf(node: JsonNode): JsonNode[] | null {
    const value = node.isUnfolded ? parsed(node.value) : node.value;
    if (typeof value !== "object" || value === null) return null;
    node.children ??= Array.isArray(value)
      ? value.map((item, index) => this.#add(item, String(index), node))
      : Object.entries(value).map(([name, item]) => this.#add(item, name, node));
    return node.children;
  }

  /** Level by level, as far as it stays readable. */
  #openFirst(top: JsonNode) {
    let budget = OPEN_AT_FIRST;
    for (let level: JsonNode[] = [top]; level.length > 0; ) {
      const next: JsonNode[] = [];
      for (const node of level) {
        const size = sizeOf(node);
        if (size === null || (size > budget && node !== top)) continue;
        budget -= size;
        node.isOpen = true;
        for (const child of this.#childrenOf(node) ?? []) next.push(child);
      }
      level = next;
    }
  }

  #textColumns = (node: JsonNode) =>
    Math.max(24, this.#columns - node.depth * 2 - (node.name?.length ?? 0) - 4);

  #layOut() {
    const lines: JsonLine[] = [];
    this.#lineOfNode = new Map();
    const stack: (JsonNode | { close: JsonNode; token: string })[] = [this.#root];
    for (let next = stack.pop(); next; next = stack.pop()) {
      if ("close" in next) {
        const { id, depth } = next.close;
        lines.push({
          node: id,
          depth,
          name: null,
          token: next.token,
          kind: "bracket",
          fold: null,
          nested: null,
        });
        continue;
      }
      this.#lineOfNode.set(next.id, lines.length);
      const children = this.#childrenOf(next);
      if (!children) {
        this.#layOutLeaf(next, lines);
        continue;
      }
      const isList = Array.isArray(next.isUnfolded ? parsed(next.value) : next.value);
      const [left, right] = isList ? ["[", "]"] : ["{", "}"];
      const base = { node: next.id, depth: next.depth, name: next.name, kind: "bracket" as const };
      const nested = next.isUnfolded ? ("unfolded" as const) : null;
      if (children.length === 0) lines.push({ ...base, token: left + right, fold: null, nested });
      else if (!next.isOpen) {
        const count = `${children.length.toLocaleString("en")} ${isList ? "items" : "members"}`;
        lines.push({ ...base, token: `${left} ${count} ${right}`, fold: "closed", nested });
      } else {
        lines.push({ ...base, token: left, fold: "open", nested });
        stack.push({ close: next, token: right });
        for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as JsonNode);
      }
    }
    this.#lines = lines;
  }

  #layOutLeaf(node: JsonNode, lines: JsonLine[]) {
    const { id, depth, name, value } = node;
    if (typeof value !== "string") {
      const kind = typeof value === "number" ? "number" : "keyword";
      lines.push({ node: id, depth, name, token: String(value), kind, fold: null, nested: null });
      return;
    }
    const nested = looksLikeJson(value) ? ("text" as const) : null;
    const columns = this.#textColumns(node) - (nested ? NESTED_COLUMNS : 0);
    const slices = wrapText(value, columns, node.isOpen ? undefined : CLOSED_LINES + 1);
    const isLong = slices.length > CLOSED_LINES;
    const shown = node.isOpen ? slices : slices.slice(0, CLOSED_LINES);
    for (const [index, [from, to]] of shown.entries())
      lines.push({
        node: id,
        depth,
        name: index === 0 ? name : null,
        token: slices.length === 1 ? `"${value}"` : value.slice(from, to),
        kind: "text",
        fold: index === 0 && isLong ? (node.isOpen ? "open" : "closed") : null,
        nested: index === 0 ? nested : null,
      });
    if (isLong && !node.isOpen) {
      const rest = value.length - (shown.at(-1)?.[1] ?? 0);
      const token = `… ${rest.toLocaleString("en")} more characters`;
      lines.push({ node: id, depth, name: null, token, kind: "note", fold: "closed", nested: null });
    }
  }
}

/** How many values stand directly inside; null for what holds none. */
function sizeOf(node: JsonNode): number | null {
  const value = node.isUnfolded ? parsed(node.value) : node.value;
  if (typeof value !== "object" || value === null) return null;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** Cheap enough to ask of every text in sight; whether it parses is found out when somebody asks for it. */
const looksLikeJson = (text: string) =>
  text.length > 1 &&
  text.length < NESTED_MAX_LENGTH &&
  /^\s*[[{]/.test(text) &&
  /[\]}]\s*$/.test(text.slice(-20)) &&
  (text.length > 5_000 || parsed(text) !== undefined);

function parsed(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
