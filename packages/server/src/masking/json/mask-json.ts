import type { CompiledRule } from "../compiled-rule.ts";
import { looksLikeSecret } from "../find/looks-like-secret.ts";
import { findMatches, findMatchesInPieces, type Match } from "../find-matches.ts";
import { isOwnToken } from "../make-token.ts";
import { mayMatch } from "../may-match.ts";
import type { Scope } from "../scope.ts";
import { mayBeSecretName } from "../secret-names.ts";
import { isJson } from "./is-json.ts";
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  decodeString,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  scalarEnd,
  skipBlanks,
  skipUnits,
  stringEnd,
  valueEnd,
} from "./json-walk.ts";

/** What walking over JSON needs from its caller. */
export interface JsonMasking {
  /** What stands for a match in a text; in a key of an object it has to stay distinct. */
  token(match: Match, isKey: boolean): string;
  /** The JSON that stands for a whole value. */
  wholeToken(rule: CompiledRule, value: string): string;
  /** The text with what matched in it masked; undefined if nothing did. A text that is JSON is masked as JSON. */
  nested(text: string, scope: Scope, depth: number): string | undefined;
  /** How many values were masked so far. */
  readonly maskedCount: number;
}

interface Options {
  masking: JsonMasking;
  /** How many strings this JSON is inside of. */
  depth: number;
  /** Whether the strings of an array are the pieces of one text. */
  hasPieces: boolean;
}

interface Container {
  isObject: boolean;
  scope: Scope;
  index: number;
  /** The name that its value has if it is a pair, such as `{"name": "authorization", "value": "…"}`. */
  pairName?: string;
}

/** A range that is replaced. */
interface Edit {
  start: number;
  end: number;
  text: string;
}

/** A place behind an item of an array, from which the walk can go on in JSON that has the same bytes before it. */
interface Checkpoint {
  at: number;
  /** How many edits are before it, and how many values were masked in them. */
  edits: number;
  maskedCount: number;
  open: readonly Container[];
}

export interface WalkedJson {
  edits: readonly Edit[];
  checkpoints: readonly Checkpoint[];
}

const LETTER_N = 0x6e;
const LETTER_U = 0x75;
const MINUS = 0x2d;
const NINE = 0x39;
const ROLE = "role";
/** A flattened list has attributes such as `0.message.role`. */
const ROLE_OF_FLATTENED = ".role";
/** Conversations are arrays near the root. */
const MAX_CHECKPOINT_DEPTH = 3;
/** So that they take no more memory than the JSON. */
const MIN_CHECKPOINT_BYTES = 256;

/**
 * Masks valid JSON. Returns the same bytes if nothing matched. Otherwise the ranges that matched are replaced, and everything
 * else is as it was sent, byte by byte.
 */
export function maskJson(bytes: Buffer, scope: Scope, options: Options): Buffer {
  return spliceJson(bytes, walkJson(bytes, scope, options).edits);
}

/** Finds what is to be replaced in valid JSON, all of it or from a checkpoint on. */
export function walkJson(
  bytes: Buffer,
  scope: Scope,
  options: Options,
  before?: WalkedJson,
  from?: Checkpoint,
): WalkedJson {
  const walk = new JsonWalk(bytes, options, before, from);
  walk.run(scope, from);
  return walk;
}

export function spliceJson(bytes: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return bytes;
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of edits) {
    parts.push(bytes.subarray(at, start), Buffer.from(text));
    at = end;
  }
  parts.push(bytes.subarray(at));
  return Buffer.concat(parts);
}

class JsonWalk implements WalkedJson {
  /** In their order. */
  readonly edits: Edit[];
  readonly checkpoints: Checkpoint[];
  readonly #bytes: Buffer;
  readonly #options: Options;
  /** The roles of the objects that have one, by where they begin. Only if a rule is about roles. */
  #roles: ReadonlyMap<number, string> | undefined;

  constructor(bytes: Buffer, options: Options, before?: WalkedJson, from?: Checkpoint) {
    this.#bytes = bytes;
    this.#options = options;
    this.edits = before?.edits.slice(0, from?.edits ?? 0) ?? [];
    this.checkpoints = before?.checkpoints.filter(({ at }) => from && at <= from.at) ?? [];
  }

  /** With a stack of its own, so that no nesting overflows the call stack. */
  run(root: Scope, from?: Checkpoint) {
    const bytes = this.#bytes;
    if (root.hasRoles) this.#roles = findRoles(bytes);
    const open: Container[] = copyOf(from?.open ?? []);
    let scope = root;
    let name: string | undefined;
    let at = from?.at ?? skipBlanks(bytes, 0);
    let isBehindValue = from !== undefined;
    for (;;) {
      if (!isBehindValue) {
        const container = this.#value(at, scope, name);
        if (typeof container === "number") {
          at = container;
          this.#mark(at, open);
        } else {
          open.push(container);
          at += 1;
        }
      }
      isBehindValue = false;
      // Behind a value or an opening bracket: on to the next value.
      for (;;) {
        at = skipBlanks(bytes, at);
        const inner = open.at(-1);
        if (!inner || at >= bytes.length) return;
        const byte = bytes[at];
        if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
          open.pop();
          at += 1;
          this.#mark(at, open);
          continue;
        }
        if (byte === COMMA) at = skipBlanks(bytes, at + 1);
        if (inner.isObject) {
          const [start, end] = [at, stringEnd(bytes, at)];
          name = this.#key(at, end, inner.scope);
          scope = name === undefined ? inner.scope : inner.scope.below(name);
          // The colon.
          at = skipBlanks(bytes, skipBlanks(bytes, end) + 1);
          if (inner.pairName !== undefined && isOneOf(PAIR_VALUES, bytes, start + 1, end - 1))
            name = inner.pairName;
          else if (bytes[at] === QUOTE && isOneOf(PAIR_NAMES, bytes, start + 1, end - 1))
            this.#pairName(inner, at);
        } else {
          name = undefined;
          scope = inner.scope.below(String(inner.index));
          // A list of pairs: `[["authorization", "…"]]`. A list of names alone is no pair.
          if (bytes[at] === QUOTE && open.at(-2)?.isObject === false) {
            if (inner.index === 0) this.#pairName(inner, at);
            else if (inner.index === 1 && looksLikeSecret(this.#textAt(at) ?? "")) name = inner.pairName;
          }
          inner.index += 1;
        }
        break;
      }
    }
  }

  /** Remembers the string that begins here if it may name the value of a pair. */
  #pairName(pair: Container, at: number) {
    if (mayBeSecretName(this.#bytes, at + 1, stringEnd(this.#bytes, at) - 1))
      pair.pairName = this.#textAt(at) ?? "";
  }

  /** Makes a checkpoint behind an item of an array. A number or a word may go on in other JSON. */
  #mark(at: number, open: readonly Container[]) {
    const { depth, masking } = this.#options;
    if (depth > 0 || open.length > MAX_CHECKPOINT_DEPTH || open.at(-1)?.isObject !== false) return;
    const last = this.#bytes[at - 1];
    if (last !== QUOTE && last !== CLOSE_OBJECT && last !== CLOSE_ARRAY) return;
    if (at - (this.checkpoints.at(-1)?.at ?? 0) < MIN_CHECKPOINT_BYTES) return;
    const { maskedCount } = masking;
    this.checkpoints.push({ at, edits: this.edits.length, maskedCount, open: copyOf(open) });
  }

  /** Masks a value and returns its end, or the object or array that it opens. */
  #value(at: number, scope: Scope, name: string | undefined): number | Container {
    const bytes = this.#bytes;
    const first = bytes[at] ?? 0;
    const whole = first === LETTER_N ? undefined : wholeRule(scope, name, () => this.#textAt(at));
    if (whole) return this.#replaceWhole(at, whole);
    if (first === QUOTE) {
      const end = stringEnd(bytes, at);
      this.#string(at + 1, end - 1, scope);
      return end;
    }
    if (first === OPEN_ARRAY && this.#options.hasPieces) {
      const end = this.#pieces(at, scope);
      if (end > 0) return end;
    }
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
      const role = this.#roles?.get(at);
      return {
        isObject: first === OPEN_OBJECT,
        scope: role === undefined ? scope : scope.inRole(role),
        index: 0,
      };
    }
    const end = scalarEnd(bytes, at);
    if (scope.card && (first === MINUS || first <= NINE)) this.#number(at, end, scope.card);
    return end;
  }

  /** The text of a string that begins here. */
  #textAt(at: number): string | undefined {
    const bytes = this.#bytes;
    return bytes[at] === QUOTE ? decodeString(bytes, at + 1, stringEnd(bytes, at) - 1) : undefined;
  }

  #replaceWhole(start: number, rule: CompiledRule): number {
    const bytes = this.#bytes;
    const end = valueEnd(bytes, start);
    const isString = bytes[start] === QUOTE;
    const value = isString ? decodeString(bytes, start + 1, end - 1) : bytes.toString("utf8", start, end);
    // A token stays the token that it is.
    if (!(isString && isOwnToken(rule, value)))
      this.edits.push({ start, end, text: this.#options.masking.wholeToken(rule, value) });
    return end;
  }

  #number(start: number, end: number, card: CompiledRule) {
    if (end - start < 13) return;
    const text = this.#bytes.toString("latin1", start, end);
    const [match] = findMatches(text, [card]);
    if (match)
      this.edits.push({ start, end, text: JSON.stringify(this.#options.masking.token(match, false)) });
  }

  /** Masks a key of an object and returns it as it was sent; undefined if no rule is about it. */
  #key(start: number, end: number, scope: Scope): string | undefined {
    const bytes = this.#bytes;
    const mayHaveMatch = scope.hasPattern || mayMatch(bytes, start + 1, end - 1, scope.textBits);
    const isNeeded = mayHaveMatch || scope.hasPaths || mayBeSecretName(bytes, start + 1, end - 1);
    if (!isNeeded && !bytes.subarray(start, end).includes(BACKSLASH)) return undefined;
    const text = decodeString(bytes, start + 1, end - 1);
    if (mayHaveMatch) this.#splice(start + 1, findMatches(text, scope.texts), true);
    return text;
  }

  #string(start: number, end: number, scope: Scope) {
    const bytes = this.#bytes;
    const { masking, depth } = this.#options;
    // JSON inside a string has keys and places of its own.
    const mayBeJson = mayBeNested(bytes, start, end);
    const bits = mayBeJson ? scope.allBits : scope.textBits;
    if (!scope.hasPattern && !(mayBeJson && !scope.isBuiltIn) && !mayMatch(bytes, start, end, bits)) return;
    const text = decodeString(bytes, start, end);
    if (mayBeJson) {
      const masked = masking.nested(text, scope, depth + 1);
      if (masked !== undefined) {
        if (masked !== text)
          this.edits.push({ start: start - 1, end: end + 1, text: JSON.stringify(masked) });
        return;
      }
    }
    this.#splice(start, findMatches(text, scope.texts), false);
  }

  /** Replaces matches in the text of a string that begins at `start`. */
  #splice(start: number, matches: readonly Match[], isKey: boolean) {
    let at = start;
    let units = 0;
    for (const match of matches) {
      const from = skipUnits(this.#bytes, at, match.start - units);
      const to = skipUnits(this.#bytes, from, match.end - match.start);
      const token = this.#options.masking.token(match, isKey);
      this.edits.push({ start: from, end: to, text: JSON.stringify(token).slice(1, -1) });
      at = to;
      units = match.end;
    }
  }

  /**
   * Masks an array of strings as one text: a token stands in the piece in which its match begins. Returns the end of the array, or
   * -1 if it has other values than strings.
   */
  #pieces(start: number, scope: Scope): number {
    const bytes = this.#bytes;
    const strings: { start: number; end: number; text: string }[] = [];
    let at = skipBlanks(bytes, start + 1);
    while (bytes[at] === QUOTE) {
      const end = stringEnd(bytes, at);
      // JSON in a string is masked as JSON. A piece of JSON is a piece of a text.
      if (mayBeNested(bytes, at + 1, end - 1) && isJson(decodeString(bytes, at + 1, end - 1))) return -1;
      strings.push({ start: at + 1, end: end - 1, text: "" });
      at = skipBlanks(bytes, end);
      if (bytes[at] !== COMMA) break;
      at = skipBlanks(bytes, at + 1);
    }
    // Rules for an index of the array apply to one string alone.
    if (bytes[at] !== CLOSE_ARRAY || strings.length < 2 || scope.whole) return -1;
    if (scope.hasRulesForItems(strings.length)) return -1;
    for (const one of strings) one.text = decodeString(bytes, one.start, one.end);
    const matches = findMatchesInPieces(
      strings.map(({ text }) => text),
      scope.texts,
    );
    let offset = 0;
    let first = 0;
    for (const one of strings) {
      const end = offset + one.text.length;
      while ((matches[first]?.end ?? Number.POSITIVE_INFINITY) <= offset) first += 1;
      let raw = one.start;
      let units = offset;
      for (let index = first; index < matches.length; index += 1) {
        const match = matches[index];
        if (!match || match.start >= end) break;
        const from = skipUnits(bytes, raw, Math.max(match.start, offset) - units);
        const upTo = Math.min(match.end, end);
        const to = skipUnits(bytes, from, upTo - Math.max(match.start, offset));
        const token = match.start >= offset ? this.#options.masking.token(match, false) : "";
        this.edits.push({ start: from, end: to, text: JSON.stringify(token).slice(1, -1) });
        raw = to;
        units = upTo;
      }
      offset = end;
    }
    return at + 1;
  }
}

/**
 * The rule that masks a value as a whole: by its place, or by the name that it is under. A rule for the messages of a role does not mask
 * that role, by which it finds them. `text` is what the value is if it is a string.
 */
export function wholeRule(
  scope: Scope,
  name: string | undefined,
  text: () => string | undefined,
): CompiledRule | undefined {
  let { whole } = scope;
  if (whole && (name === ROLE || name?.endsWith(ROLE_OF_FLATTENED))) {
    const role = text();
    whole = scope.wholes.find(({ source }) => role === undefined || source.role !== role);
  }
  if (name === undefined || scope.names.length === 0) return whole;
  const named = scope.named(name, text);
  return whole && named ? (whole.rank < named.rank ? whole : named) : (whole ?? named);
}

const PAIR_NAMES = ["name", "key", "header"].map((name) => Buffer.from(name));
const PAIR_VALUES = ["value"].map((name) => Buffer.from(name));

const isOneOf = (names: readonly Buffer[], bytes: Buffer, start: number, end: number) =>
  names.some(
    (name) =>
      name.length === end - start &&
      name[0] === bytes[start] &&
      bytes.compare(name, 0, name.length, start, end) === 0,
  );

const isBracket = (byte: number | undefined) => byte === OPEN_OBJECT || byte === OPEN_ARRAY;

/** Whether a string may be the text of a JSON object or array. */
function mayBeNested(bytes: Uint8Array, start: number, end: number): boolean {
  let from = start;
  while (from < end && ((bytes[from] ?? 0) <= 0x20 || bytes[from] === BACKSLASH)) {
    // The bracket may be escaped; blanks before it are, if they are line breaks or tabs.
    if (bytes[from] === BACKSLASH && bytes[from + 1] === LETTER_U) return true;
    from += bytes[from] === BACKSLASH ? 2 : 1;
  }
  return isBracket(bytes[from]);
}

/** The values of the keys `role`, by where their objects begin. */
function findRoles(bytes: Buffer): ReadonlyMap<number, string> {
  const roles = new Map<number, string>();
  const open: number[] = [];
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) open.push(at);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) open.pop();
    if (byte !== QUOTE) {
      at += 1;
      continue;
    }
    const end = stringEnd(bytes, at);
    const colon = skipBlanks(bytes, end);
    const value = bytes[colon] === 0x3a ? skipBlanks(bytes, colon + 1) : -1;
    const object = open.at(-1);
    if (value > 0 && bytes[value] === QUOTE && object !== undefined && decodeKey(bytes, at, end) === ROLE) {
      const valueStop = stringEnd(bytes, value);
      roles.set(object, decodeString(bytes, value + 1, valueStop - 1));
      at = valueStop;
    } else at = end;
  }
  return roles;
}

/** A key that may be `role`: with each letter escaped it has 24 bytes. */
const decodeKey = (bytes: Buffer, start: number, end: number) =>
  end - start > 26 ? undefined : decodeString(bytes, start + 1, end - 1);

const copyOf = (open: readonly Container[]): Container[] => open.map((container) => ({ ...container }));
