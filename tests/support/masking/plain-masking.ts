import { createHmac } from "node:crypto";
import type {
  MaskingField,
  MaskingLevel,
  MaskingMethod,
  MaskingRule,
} from "@whytrace/contract/schemas/masking/settings";
import { isPlainType, type PlainRange, plainRanges } from "./plain-ranges.ts";

/*
 * The straightforward definition of masking on decoded values, which a trial compares with what a server stored. Payloads are those of a
 * sender who writes JSON as JSON.stringify does.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

interface RankedRule extends MaskingRule {
  rank: number;
}

interface Match extends PlainRange {
  rule: RankedRule;
}

/** Where a value is. */
interface Place {
  field: MaskingField;
  path: readonly string[];
  roles: readonly string[];
  /** How many strings it is inside of. */
  depth: number;
  /** The key that it is under. */
  name?: string;
}

const SECRETS: [MaskingRule["type"], MaskingMethod][] = [
  ["secret", "replace"],
  ["card", "replace"],
  ["key", "replace"],
];
const PERSONAL: typeof SECRETS = [
  ...SECRETS,
  ["email", "hash"],
  ["phone", "hash"],
  ["iban", "hash"],
  ["ip", "hash"],
];
const LEVELS: Record<MaskingLevel, typeof SECRETS> = {
  off: [],
  secrets: SECRETS,
  personal: PERSONAL,
  structure: PERSONAL,
};
const SECRET_NAME =
  /(?:password|passwd|pwd|passphrase|secret|apikey|secretkey|privatekey|accesskey|authorization|cookie|accesstoken|refreshtoken|idtoken|authtoken|sessiontoken)$/;
const MAX_NESTED = 4;
const NOTHING = "[masked]";

interface PlainSettings {
  level: MaskingLevel;
  rules: readonly MaskingRule[];
  key: Uint8Array;
}

export class PlainMasking {
  readonly #rules: readonly RankedRule[];
  readonly #isStructureOnly: boolean;
  readonly #key: Uint8Array;

  constructor({ level, rules, key }: PlainSettings) {
    const own = rules.filter(({ isEnabled = true }) => isEnabled);
    const ofLevel = LEVELS[level].map(([type, method]) => ({ name: type, type, method, source: "*" }));
    this.#rules = [...own, ...ofLevel].map((rule, rank) => ({ ...rule, rank }));
    this.#isStructureOnly = level === "structure";
    this.#key = key;
  }

  name(name: string): string {
    return this.text(name, "names") || NOTHING;
  }

  text(text: string, field: MaskingField, isDistinct = false): string {
    return this.#text(text, { field, path: [], roles: [], depth: 0 }, isDistinct);
  }

  identifier(text: string, field: MaskingField): string {
    return this.text(text, field, true);
  }

  error(message: string | null): string | null {
    if (message === null || !this.#isStructureOnly) return message && this.text(message, "errors");
    if (/^\[error:[\da-f]{16}\]$/.test(message)) return message;
    return `[error:${this.#hash(this.text(message, "errors"))}]`;
  }

  reasoning(reasoning: string | null): string | null {
    if (reasoning === null) return null;
    return this.#isStructureOnly ? NOTHING : this.text(reasoning, "reasoning");
  }

  payload(value: Json, field: MaskingField): Json {
    if (value === null) return null;
    return this.#isStructureOnly ? mark(value) : this.#value(value, { field, path: [], roles: [], depth: 0 });
  }

  option(option: Json): Json {
    if (!this.#isStructureOnly || option === null) return this.payload(option, "chosen");
    if (typeof option === "string") return this.text(option, "chosen");
    const name = typeof option === "object" && !Array.isArray(option) ? option.name : undefined;
    return typeof name === "string" ? { name: this.text(name, "chosen") } : mark(option);
  }

  options(options: Json[]): Json {
    return this.#isStructureOnly
      ? options.map((option) => this.option(option))
      : this.payload(options, "chosen");
  }

  /** The token of a value of a type. */
  token(type: MaskingRule["type"], value: string): string {
    return this.#hashed({ name: type, type, method: "hash", source: "*", rank: 0 }, value);
  }

  #rulesAt(place: Place): RankedRule[] {
    const active = this.#rules.filter(({ source }) => isAt(source, place));
    const kept = new Set(
      active.filter((rule) => rule.method === "keep" && !isPartial(rule)).map(({ type }) => type),
    );
    return active.filter(({ method, type }) => method !== "keep" && !kept.has(type) && !kept.has("anything"));
  }

  /** Exceptions for some names, or for what a pattern matches. */
  #exceptionsAt(place: Place, type: MaskingRule["type"]): RankedRule[] {
    return this.#rules.filter(
      (rule) => rule.method === "keep" && rule.type === type && isPartial(rule) && isAt(rule.source, place),
    );
  }

  #value(value: Json, place: Place): Json {
    if (value === null) return null;
    const isKept = this.#exceptionsAt(place, "key").some((rule) => isNamed(rule, place.name));
    const whole = this.#rulesAt(place).find(
      (rule) => isWhole(rule, place.name, value) && !(rule.type === "key" && isKept),
    );
    if (whole) return this.#whole(whole, value);
    if (typeof value === "string") return this.#string(value, place);
    if (typeof value === "number") return this.#number(value, place);
    if (typeof value === "boolean") return value;
    if (Array.isArray(value))
      return (
        this.#pieces(value, place) ?? value.map((item, index) => this.#below(item, place, String(index)))
      );
    const inner = typeof value.role === "string" ? { ...place, roles: [...place.roles, value.role] } : place;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        this.#replaced(key, inner, true),
        this.#below(item, inner, key, key),
      ]),
    );
  }

  #below(value: Json, { name: _name, ...place }: Place, step: string, name?: string): Json {
    return this.#value(value, {
      ...place,
      path: [...place.path, ...step.split(".")],
      ...(name !== undefined && { name }),
    });
  }

  #whole(rule: RankedRule, value: Json): Json {
    if (typeof value === "string" && isOwnToken(rule, value, false)) return value;
    if (rule.method === "remove") return null;
    return this.#token(rule, typeof value === "string" ? value : JSON.stringify(value), false);
  }

  #number(value: number, place: Place): Json {
    const text = JSON.stringify(value);
    const card = this.#rulesAt(place).find(({ type }) => type === "card");
    const [match] = card && text.length >= 13 ? plainRanges(text, "card") : [];
    return card && match ? this.#token(card, match.value, false) : value;
  }

  /** The strings of an array in the output are one text. */
  #pieces(list: readonly Json[], place: Place): Json[] | undefined {
    if (place.field !== "output" || place.depth > 0 || list.length < 2) return undefined;
    const texts = list.filter((item) => typeof item === "string");
    if (texts.length < list.length || texts.some((text) => parseContainer(text) !== undefined))
      return undefined;
    const rulesHere = this.#rulesAt(place).length;
    const isAlone = (_: string, index: number) =>
      this.#rulesAt({ ...place, path: [...place.path, String(index)] }).length !== rulesHere;
    if (texts.some(isAlone)) return undefined;
    let before = 0;
    const alone = texts.flatMap((text) => {
      const shift = before;
      before += text.length;
      return this.#matches(text, place).map((match) => ({
        ...match,
        start: match.start + shift,
        end: match.end + shift,
      }));
    });
    const found = merge([...this.#matches(texts.join(""), place), ...alone]);
    let offset = 0;
    return texts.map((text) => {
      const [start, end] = [offset, offset + text.length];
      offset = end;
      let piece = "";
      let at = start;
      for (const match of found.filter((one) => one.start < end && one.end > start)) {
        piece += text.slice(at - start, Math.max(match.start, start) - start);
        if (match.start >= start) piece += this.#token(match.rule, match.value, false);
        at = Math.min(match.end, end);
      }
      return piece + text.slice(at - start);
    });
  }

  #text(text: string, place: Place, isDistinct: boolean): string {
    const whole = this.#rulesAt(place).find(({ type }) => type === "anything");
    if (whole && !isOwnToken(whole, text, isDistinct)) return this.#token(whole, text, isDistinct);
    return this.#string(text, place, isDistinct);
  }

  #string(text: string, place: Place, isDistinct = false): string {
    const json = place.depth < MAX_NESTED ? parseContainer(text) : undefined;
    if (json === undefined) return this.#replaced(text, place, isDistinct);
    const { name: _name, ...inner } = place;
    const masked = JSON.stringify(this.#value(json, { ...inner, depth: place.depth + 1 }));
    return masked === JSON.stringify(json) ? text : masked;
  }

  #replaced(text: string, place: Place, isDistinct: boolean): string {
    let masked = "";
    let at = 0;
    for (const { start, end, rule, value } of this.#matches(text, place)) {
      masked += text.slice(at, start) + this.#token(rule, value, isDistinct);
      at = end;
    }
    return masked + text.slice(at);
  }

  #matches(text: string, place: Place): Match[] {
    const kept = this.#exceptionsAt(place, "pattern").flatMap((rule) => rangesOf(text, rule));
    const isKept = ({ start, end, rule }: Match) =>
      rule.type === "pattern" && kept.some((range) => range.start <= start && end <= range.end);
    const found = this.#rulesAt(place).flatMap((rule) =>
      rangesOf(text, rule).map((range) => ({ ...range, rule })),
    );
    return merge(found.filter((match) => !isKept(match)));
  }

  #token(rule: RankedRule, value: string, isDistinct: boolean): string {
    if (rule.method === "hash" || isDistinct) return this.#hashed(rule, value);
    if (rule.method === "mask") return "********";
    return rule.method === "remove" ? "" : (rule.text ?? `[${wordOf(rule)}]`);
  }

  #hashed(rule: RankedRule, value: string): string {
    return `[${wordOf(rule)}:${this.#hash(normalValue(rule, value))}]`;
  }

  /** The first 16 digits that are not digits of a number alone. */
  #hash(value: string): string {
    const hash = createHmac("sha256", this.#key).update(value).digest("hex");
    const start = [...hash].findIndex((_, index) => /[a-f]/.test(hash.slice(index, index + 16)));
    return hash.slice(start, start + 16);
  }
}

const mark = (value: Json): Json => {
  const json = JSON.stringify(value);
  return /^\{"masked":\{"bytes":\d+\}\}$/.test(json) ? value : { masked: { bytes: Buffer.byteLength(json) } };
};

const normalName = (name: string) => name.toLowerCase().replace(/[-_. ]/g, "");

/** Whether a rule masks a value under a key as a whole. */
function isWhole(rule: MaskingRule, name: string | undefined, value: Json): boolean {
  // The messages of a role are found by it.
  if (rule.type === "anything")
    return !(
      /(?:^|\.)role$/.test(name ?? "") &&
      typeof value === "string" &&
      rule.source === `messages:${value}`
    );
  return rule.type === "key" && isNamed(rule, name);
}

/** Whether an exception is for some names, or for what a pattern matches. */
const isPartial = ({ type, keys }: MaskingRule) =>
  type === "pattern" || (type === "key" && keys !== undefined);

function isNamed({ keys }: MaskingRule, name: string | undefined): boolean {
  if (name === undefined) return false;
  return keys ? keys.some((key) => normalName(key) === normalName(name)) : SECRET_NAME.test(normalName(name));
}

function isOwnToken(rule: MaskingRule, value: string, isDistinct: boolean): boolean {
  if (rule.method === "hash" || isDistinct)
    return new RegExp(`^\\[${wordOf(rule)}:[\\da-f]{16}\\]$`).test(value);
  if (rule.method === "mask") return value === "********";
  return rule.method === "replace" && value === (rule.text ?? `[${wordOf(rule)}]`);
}

function wordOf({ type, name }: MaskingRule): string {
  if (type === "key") return "secret";
  if (type !== "pattern" && type !== "anything") return type;
  return name.slice(0, 32).replace(/[^A-Za-z\d_-]/g, "-");
}

/** The patterns of trials mean the same in RE2's syntax and in JavaScript's. */
function rangesOf(text: string, { type, pattern }: MaskingRule): PlainRange[] {
  if (type === "pattern")
    return [...text.matchAll(new RegExp(pattern ?? "", "g"))].map(({ 0: value, index }) => ({
      start: index,
      end: index + value.length,
      value,
    }));
  return isPlainType(type) ? plainRanges(text, type) : [];
}

function normalValue({ type }: MaskingRule, value: string): string {
  if (type === "email" || type === "ip") return value.toLowerCase();
  if (type === "phone") return `+${value.replace(/\D/g, "")}`;
  return type === "card" || type === "iban" ? value.replace(/[ -]/g, "") : value;
}

/** Whether a value, or one around it, is at the source of a rule. */
function isAt(source: string, { field, path, roles }: Place): boolean {
  if (source === "*") return true;
  const role = /^messages:(.*)$/.exec(source)?.[1];
  if (role !== undefined) return roles.includes(role);
  const [first, ...steps] = source.split(".");
  return (
    first === field &&
    Array.from({ length: path.length + 1 }).some((_, end) => isPath(steps, path.slice(0, end)))
  );
}

function isPath([step, ...steps]: readonly string[], path: readonly string[]): boolean {
  if (step === undefined) return path.length === 0;
  if (step === "**")
    return Array.from({ length: path.length + 1 }).some((_, at) => isPath(steps, path.slice(at)));
  return path.length > 0 && (step === "*" || step === path[0]) && isPath(steps, path.slice(1));
}

function parseContainer(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What overlaps is one match, and the first rule names it. */
function merge(found: readonly Match[]): Match[] {
  const merged: Match[] = [];
  for (const match of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (!last || match.start >= last.end) {
      merged.push({ ...match });
      continue;
    }
    last.end = Math.max(last.end, match.end);
    if (match.rule.rank < last.rule.rank) Object.assign(last, { rule: match.rule, value: match.value });
  }
  return merged;
}
