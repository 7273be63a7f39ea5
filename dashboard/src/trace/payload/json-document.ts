import { wrapText } from "./wrap-text.ts";

export type TokenKind = "text" | "number" | "keyword" | "bracket" | "note";

/** One displayed line. */
export interface JsonLine {
  node: number;
  depth: number;
  /** The member's name, on the first line of its value. */
  name: string | null;
  token: string;
  kind: TokenKind;
  /** State of the line's arrow; null if the line cannot be collapsed. */
  fold: "open" | "closed" | null;
  /** Set for a string that contains JSON: how it is currently shown. */
  nested: "text" | "json" | null;
}

interface JsonNode {
  id: number;
  value: unknown;
  name: string | null;
  depth: number;
  parent: JsonNode | null;
  isOpen: boolean;
  isParsed: boolean;
  children: JsonNode[] | null;
}

interface Match {
  node: JsonNode;
  /** Offset in the string; -1 for a match in the name. */
  offset: number;
}

const MAX_INITIAL_VALUES = 400;
const MAX_COLLAPSED_LINES = 12;
const MAX_MATCHES = 10_000;
/** Reserved for the button that shows a string as JSON. */
const NESTED_BUTTON_COLUMNS = 16;
const MAX_NESTED_LENGTH = 2_000_000;

/** Lays out a JSON value as collapsible, searchable lines. Values may have 10 MB, so only expanded nodes are laid out. */
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
    this.#expandInitially(this.#root);
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

  /** Toggles a string that contains JSON between text and JSON. */
  toggleNested(id: number) {
    const node = this.#nodes[id];
    if (!node || typeof node.value !== "string") return;
    node.isParsed = !node.isParsed;
    node.children = null;
    node.isOpen = true;
    if (node.isParsed) this.#expandInitially(node);
    this.#layOut();
  }

  /** Counts the matches in names and values, ignoring case. */
  search(text: string): number {
    this.#matches = [];
    const query = text.toLowerCase();
    if (query === "") return 0;
    const stack: JsonNode[] = [this.#root];
    for (let node = stack.pop(); node && this.#matches.length < MAX_MATCHES; node = stack.pop()) {
      if (node.name?.toLowerCase().includes(query)) this.#matches.push({ node, offset: -1 });
      const children = this.#childrenOf(node);
      if (children) for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as JsonNode);
      else this.#matchText(node, query);
    }
    return this.#matches.length;
  }

  /** Expands the ancestors of a match and returns its line. */
  reveal(matchIndex: number): number {
    const match = this.#matches[matchIndex];
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

  #matchText(node: JsonNode, query: string) {
    const text = String(node.value).toLowerCase();
    for (
      let offset = text.indexOf(query);
      offset >= 0 && this.#matches.length < MAX_MATCHES;
      offset = text.indexOf(query, offset + query.length)
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
      isParsed: false,
      children: null,
    };
    this.#nodes.push(node);
    return node;
  }

  #childrenOf(node: JsonNode): JsonNode[] | null {
    const value = node.isParsed ? tryParse(node.value) : node.value;
    if (typeof value !== "object" || value === null) return null;
    node.children ??= Array.isArray(value)
      ? value.map((item, index) => this.#add(item, String(index), node))
      : Object.entries(value).map(([name, item]) => this.#add(item, name, node));
    return node.children;
  }

  /** Expands level by level until `MAX_INITIAL_VALUES` values are visible. */
  #expandInitially(top: JsonNode) {
    let budget = MAX_INITIAL_VALUES;
    for (let level: JsonNode[] = [top]; level.length > 0; ) {
      const next: JsonNode[] = [];
      for (const node of level) {
        const size = childCount(node);
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
      const isList = Array.isArray(next.isParsed ? tryParse(next.value) : next.value);
      const [left, right] = isList ? ["[", "]"] : ["{", "}"];
      const base = { node: next.id, depth: next.depth, name: next.name, kind: "bracket" as const };
      const nested = next.isParsed ? ("json" as const) : null;
      if (children.length === 0) lines.push({ ...base, token: left + right, fold: null, nested });
      else if (!next.isOpen) {
        const count = `${children.length.toLocaleString("en")} ${isList ? "items" : "keys"}`;
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
    const columns = this.#textColumns(node) - (nested ? NESTED_BUTTON_COLUMNS : 0);
    const slices = wrapText(value, columns, node.isOpen ? undefined : MAX_COLLAPSED_LINES + 1);
    const isLong = slices.length > MAX_COLLAPSED_LINES;
    const shown = node.isOpen ? slices : slices.slice(0, MAX_COLLAPSED_LINES);
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

/** The number of direct children; null for a value that is no list or object. */
function childCount(node: JsonNode): number | null {
  const value = node.isParsed ? tryParse(node.value) : node.value;
  if (typeof value !== "object" || value === null) return null;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** Must be cheap, because it runs for every visible string: long strings are not parsed. */
const looksLikeJson = (text: string) =>
  text.length > 1 &&
  text.length < MAX_NESTED_LENGTH &&
  /^\s*[[{]/.test(text) &&
  /[\]}]\s*$/.test(text.slice(-20)) &&
  (text.length > 5_000 || tryParse(text) !== undefined);

function tryParse(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
