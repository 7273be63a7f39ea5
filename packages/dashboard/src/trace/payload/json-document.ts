import { isExactNumber, parseExactJson } from "../../client/parse-exact-json.ts";
import { findOccurrences } from "../../ui/format/find-occurrences.ts";
import { wrapText } from "./wrap-text.ts";

export type TokenKind = "text" | "number" | "keyword" | "bracket" | "note";

/** A part of a line's text that is in a match of the search. */
export interface Mark {
  from: number;
  to: number;
  /** Whether the match is the revealed one. */
  isCurrent: boolean;
}

/** One displayed line. */
export interface JsonLine extends LaidOutLine {
  nameMarks: Mark[];
  tokenMarks: Mark[];
}

interface LaidOutLine {
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
  /** The position of the token in the text of its value; null if the token is not part of it. */
  offset: number | null;
}

interface JsonNode {
  id: number;
  value: unknown;
  /** The member's name or the item's index. */
  name: string | null;
  isItem: boolean;
  depth: number;
  parent: JsonNode | null;
  isOpen: boolean;
  isParsed: boolean;
  children: JsonNode[] | null;
}

interface Match {
  node: JsonNode;
  isName: boolean;
  from: number;
  to: number;
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
  #lines: LaidOutLine[] = [];
  #lineOfNode = new Map<number, number>();
  #matches: Match[] = [];
  #matchesByNode = new Map<JsonNode, Match[]>();
  #current: Match | undefined;

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
    return this.#lines.slice(from, to).map((line) => {
      const { node: id, name, token, offset } = line;
      const node = this.#nodes[id];
      const matches = (node && this.#matchesByNode.get(node)) ?? [];
      const marks = (isName: boolean, start: number, length: number) =>
        matches
          .filter((match) => match.isName === isName && match.from < start + length && match.to > start)
          .map((match) => ({
            from: Math.max(0, match.from - start),
            to: Math.min(length, match.to - start),
            isCurrent: match === this.#current,
          }));
      return {
        ...line,
        nameMarks: name === null ? [] : marks(true, 0, name.length),
        tokenMarks: offset === null ? [] : marks(false, offset, token.length),
      };
    });
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
    this.#matchesByNode = new Map();
    this.#current = undefined;
    if (text !== "") {
      const stack: JsonNode[] = [this.#root];
      for (let node = stack.pop(); node && this.#matches.length < MAX_MATCHES; node = stack.pop()) {
        if (node.name !== null && !node.isItem) this.#match(node, true, node.name, text);
        const children = this.#childrenOf(node);
        if (children) for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as JsonNode);
        else this.#match(node, false, leafText(node.value), text);
      }
    }
    return this.#matches.length;
  }

  /** Makes a match the current one, expands its ancestors and returns its line. Without such a match there is no current one. */
  reveal(matchIndex: number): number {
    const match = this.#matches[matchIndex];
    this.#current = match;
    if (!match) return 0;
    const { node } = match;
    for (let ancestor = node.parent; ancestor; ancestor = ancestor.parent) ancestor.isOpen = true;
    if (!match.isName) node.isOpen = true;
    this.#layOut();
    const first = this.#lineOfNode.get(node.id) ?? 0;
    if (match.isName || typeof node.value !== "string" || node.isParsed) return first;
    const within = this.#wrap(node, node.value, looksLikeJson(node.value)).findIndex(
      ([, to]) => match.from < to,
    );
    return first + Math.max(0, within);
  }

  #match(node: JsonNode, isName: boolean, text: string, query: string) {
    const found = findOccurrences(text, query, MAX_MATCHES - this.#matches.length);
    if (found.length === 0) return;
    const matches = found.map(([from, to]) => ({ node, isName, from, to }));
    for (const match of matches) this.#matches.push(match);
    this.#matchesByNode.set(node, [...(this.#matchesByNode.get(node) ?? []), ...matches]);
  }

  #add(value: unknown, name: string | null, parent: JsonNode | null, isItem = false): JsonNode {
    const node: JsonNode = {
      id: this.#nodes.length,
      value,
      name,
      isItem,
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
    if (!isContainer(value)) return null;
    node.children ??= Array.isArray(value)
      ? value.map((item, index) => this.#add(item, String(index), node, true))
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

  /** The lines of a string. `isNested`: the first line also has the button that shows the string as JSON. */
  #wrap(node: JsonNode, text: string, isNested: boolean, maxLines?: number) {
    const columns = this.#textColumns(node) - (isNested ? NESTED_BUTTON_COLUMNS : 0);
    return wrapText(text, columns, maxLines);
  }

  #layOut() {
    const lines: LaidOutLine[] = [];
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
          offset: null,
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
      const { id: node, depth, name } = next;
      const base = { node, depth, name, kind: "bracket" as const, offset: null };
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

  #layOutLeaf(node: JsonNode, lines: LaidOutLine[]) {
    const { id, depth, name, value } = node;
    if (typeof value !== "string") {
      const kind = typeof value === "number" || isExactNumber(value) ? "number" : "keyword";
      const token = leafText(value);
      lines.push({ node: id, depth, name, token, kind, fold: null, nested: null, offset: 0 });
      return;
    }
    const nested = looksLikeJson(value) ? ("text" as const) : null;
    const maxLines = node.isOpen ? undefined : MAX_COLLAPSED_LINES + 1;
    const slices = this.#wrap(node, value, nested !== null, maxLines);
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
        // The quotation mark is not part of the value.
        offset: slices.length === 1 ? -1 : from,
      });
    if (isLong && !node.isOpen) {
      const rest = value.length - (shown.at(-1)?.[1] ?? 0);
      const token = `… ${rest.toLocaleString("en")} more characters`;
      lines.push({
        node: id,
        depth,
        name: null,
        token,
        kind: "note",
        fold: "closed",
        nested: null,
        offset: null,
      });
    }
  }
}

const isContainer = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !isExactNumber(value);

const leafText = (value: unknown) => (isExactNumber(value) ? JSON.stringify(value) : String(value));

/** The number of direct children; null for a value that is no list or object. */
function childCount(node: JsonNode): number | null {
  const value = node.isParsed ? tryParse(node.value) : node.value;
  if (!isContainer(value)) return null;
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
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
