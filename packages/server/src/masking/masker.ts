import type { MaskingField, MaskingMethod } from "@whytrace/contract/schemas/masking/settings";
import type { CompiledMasking } from "./compiled-masking.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import { TextNotChecked } from "./find/text-not-checked.ts";
import { findMatches, type Match } from "./find-matches.ts";
import { isJson } from "./json/is-json.ts";
import { hasArrayOfStrings } from "./json/json-walk.ts";
import { type JsonMasking, maskJson, spliceJson, walkJson, wholeRule } from "./json/mask-json.ts";
import { hashToken, isOwnToken, makeToken } from "./make-token.ts";
import { mayMatch } from "./may-match.ts";
import {
  commonBytes,
  differenceEnd,
  type KnownPayload,
  type LastPayload,
  MIN_REPEATED_BYTES,
  RepeatedPayloads,
  safeBytes,
} from "./repeated-payloads.ts";
import type { Scope } from "./scope.ts";
import { isSecretName } from "./secret-names.ts";
import { TokenRoom } from "./token-room.ts";
import { ValueNotChecked } from "./value-not-checked.ts";

/** How many values were masked, by type, and again by the rule that masked them. */
export type MaskingCounts = Readonly<Record<string, number>>;

const RULE_PREFIX = "rule:";

/** The id of the rule that is counted under this name; undefined if it is a type. */
export const countedRule = (name: string) =>
  name.startsWith(RULE_PREFIX) ? name.slice(RULE_PREFIX.length) : undefined;

/** The counts by type alone. */
export const countsByType = (counts: MaskingCounts | null): MaskingCounts =>
  Object.fromEntries(Object.entries(counts ?? {}).filter(([name]) => countedRule(name) === undefined));

/** What stands for a value that could not be checked. */
export const NOT_CHECKED = "[masked: not checked]";

/** A value of an attribute or of parsed JSON. */
type MaskableValue =
  | string
  | number
  | boolean
  | null
  | MaskableValue[]
  | { readonly [key: string]: MaskableValue };

/** JSON in strings is masked as JSON as deep as this; deeper, it is a text. */
const MAX_NESTED = 4;
/** As everywhere. Deeper values are replaced. */
const MAX_DEPTH = 256;

/** Where in a field a value is, if it is not the field's value. */
interface ValuePlace {
  /** The key that it is under. */
  name?: string;
  /** The roles of the objects around it. */
  roles?: readonly string[];
}

interface PlaceBelow {
  name?: string | undefined;
  depth: number;
  /** Whether the strings of an array are the pieces of one text. */
  hasPieces: boolean;
}

/** A value that was masked, as it is counted. */
interface MaskedValue {
  rule: CompiledRule;
  method: MaskingMethod;
  /** How much longer its token is. */
  longer: number;
}

/** What is known of the payload before the first one. */
const UNKNOWN: KnownPayload<MaskedValue> = {
  bytes: Buffer.alloc(0),
  edits: [],
  checkpoints: [],
  masked: [],
  cleanFrom: Number.POSITIVE_INFINITY,
};

export interface MaskerOptions {
  /** The trace that the values are of, for the log. */
  traceId?: string;
  /** Whether the values are stored already. Then one that cannot be checked is not replaced: it throws ValueNotChecked. */
  isStored?: boolean;
}

/** Masks the values of one trace, or of one score, and counts what it masks. What does not match is returned as it is. */
export class Masker {
  readonly #masking: CompiledMasking;
  readonly #options: MaskerOptions;
  readonly #counts: Record<string, number> = {};
  readonly #payloads = new RepeatedPayloads<MaskedValue>();
  /** What was masked in a payload that the next one may repeat, while it is looked at. */
  #masked: MaskedValue[] | undefined;
  readonly #json: JsonMasking;
  readonly #room = new TokenRoom();

  constructor(masking: CompiledMasking, options: MaskerOptions = {}) {
    this.#masking = masking;
    this.#options = options;
    const masker = this;
    this.#json = {
      token: (match, isKey) => this.#token(match, isKey),
      wholeToken: (rule, value) => this.#wholeToken(rule, value),
      nested: (text, scope, depth) => this.#nested(text, scope, depth),
      get maskedCount() {
        return masker.#masked?.length ?? 0;
      },
    };
  }

  /** Null if nothing was masked. */
  get counts(): MaskingCounts | null {
    return Object.keys(this.#counts).length > 0 ? this.#counts : null;
  }

  /** Adds what was masked elsewhere, and is part of what this one masks. */
  addCounts(counts: MaskingCounts | null) {
    for (const [type, count] of Object.entries(counts ?? {}))
      this.#counts[type] = (this.#counts[type] ?? 0) + count;
  }

  /** Masks valid JSON. Returns the same bytes if nothing matched. */
  json(bytes: Uint8Array, field: MaskingField): Uint8Array {
    const scope = this.#masking.scopeOf(field);
    if (scope.isEmpty) return bytes;
    return this.#checked(field, Buffer.from(JSON.stringify(NOT_CHECKED)), () => {
      this.#room.add(bytes.length);
      const view = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      const masked = this.#payload(view, scope, field, field === "output");
      return masked === view ? bytes : masked;
    });
  }

  /** Masks JSON that may begin like the one before it in the same place. */
  #payload(bytes: Buffer, scope: Scope, place: string, mayHavePieces: boolean): Buffer {
    const hasPieces = mayHavePieces && hasArrayOfStrings(bytes);
    // The role of an object may stand behind what is in it, and a text in pieces has no checkpoints.
    if (bytes.length >= MIN_REPEATED_BYTES && !hasPieces && !scope.hasRoles)
      return spliceJson(bytes, this.#repeated(bytes, scope, place).edits);
    if (scope.isBuiltIn && !hasPieces && !mayMatch(bytes, 0, bytes.length, scope.allBits)) return bytes;
    return maskJson(bytes, scope, { depth: 0, hasPieces, masking: this.#json });
  }

  #repeated(bytes: Buffer, scope: Scope, place: string): KnownPayload<MaskedValue> {
    const masked: MaskedValue[] = [];
    const last = this.#payloads.last(place, bytes);
    this.#masked = masked;
    try {
      const known = { ...this.#known(bytes, scope, last), masked };
      if (last) last.known = known;
      return known;
    } finally {
      this.#masked = undefined;
    }
  }

  /** What is to be replaced in a payload. What is masked in it is counted. */
  #known(
    bytes: Buffer,
    scope: Scope,
    last: LastPayload<MaskedValue> | undefined,
  ): Omit<KnownPayload<MaskedValue>, "masked"> {
    const mayMatchBetween = (start: number, end = bytes.length) =>
      !scope.isBuiltIn || mayMatch(bytes, start, end, scope.allBits);
    const known = last?.known ?? UNKNOWN;
    const common = last ? commonBytes(last, bytes) : 0;
    const safe = common === 0 ? 0 : safeBytes(bytes, common);
    if (known.cleanFrom <= safe && !mayMatchBetween(safe, differenceEnd(known.bytes, bytes, common))) {
      this.#countAgain(known.masked);
      return { ...known, bytes };
    }
    const from = known.checkpoints.findLast(({ at }) => at <= common);
    const start = from?.at ?? 0;
    this.#countAgain(known.masked.slice(0, from?.maskedCount ?? 0));
    if (!mayMatchBetween(start)) {
      const edits = known.edits.slice(0, from?.edits ?? 0);
      const checkpoints = known.checkpoints.filter(({ at }) => at <= start);
      return { bytes, edits, checkpoints, cleanFrom: start };
    }
    const options = { depth: 0, hasPieces: false, masking: this.#json };
    const { edits, checkpoints } = walkJson(bytes, scope, options, known, from);
    return { bytes, edits, checkpoints, cleanFrom: Number.POSITIVE_INFINITY };
  }

  /** Masks a text. */
  text(text: string, field: MaskingField): string {
    const scope = this.#masking.scopeOf(field);
    if (scope.isEmpty) return text;
    return this.#checked(field, NOT_CHECKED, () => {
      this.#room.add(text.length);
      return this.#text(text, scope, 0, false);
    });
  }

  /** Masks a text that has to stay distinct from others: every method acts as a hash. */
  identifier(text: string, field: MaskingField): string {
    const scope = this.#masking.scopeOf(field);
    if (scope.isEmpty) return text;
    return this.#checked(field, NOT_CHECKED, () => {
      this.#room.add(text.length);
      return this.#text(text, scope, 0, true);
    });
  }

  /** Masks a value that is not JSON text. A string that holds JSON is masked as that JSON. */
  value(value: MaskableValue, field: MaskingField, { name, roles = [] }: ValuePlace = {}): MaskableValue {
    let scope = this.#masking.scopeOf(field);
    if (scope.isEmpty) return value;
    if (name !== undefined) scope = scope.below(name);
    for (const role of roles) scope = scope.inRole(role);
    return this.#checked<MaskableValue>(field, NOT_CHECKED, () => {
      if (typeof value === "string" && !wholeRule(scope, name, () => value)) {
        if (isJson(value)) {
          const bytes = Buffer.from(value);
          this.#room.add(bytes.length);
          const masked = this.#payload(
            bytes,
            scope,
            JSON.stringify([field, name ?? null, roles]),
            field === "output",
          );
          return masked === bytes ? value : masked.toString();
        }
      }
      return this.#value(value, scope, { name, depth: 0, hasPieces: field === "output" });
    });
  }

  /** A token for a text as a whole, whatever the rules are. */
  hash(word: string, text: string): string {
    return hashToken({ word, type: "anything" }, text, this.#masking.key);
  }

  /** Masks a key of an object, which has to stay distinct. */
  key(key: string, field: MaskingField): string {
    const scope = this.#masking.scopeOf(field);
    if (scope.isEmpty) return key;
    return this.#checked(field, NOT_CHECKED, () => {
      this.#room.add(key.length);
      return this.#replaced(key, scope, true);
    });
  }

  #checked<T>(field: MaskingField, notChecked: T, mask: () => T): T {
    const room = this.#room.left;
    try {
      return mask();
    } catch (error) {
      this.#room.left = room;
      const { traceId, isStored } = this.#options;
      const failure = {
        error: error instanceof Error ? error.name : "unknown",
        traceId,
        field,
        rule: error instanceof TextNotChecked ? error.rule : undefined,
      };
      if (isStored) throw new ValueNotChecked(failure);
      this.#add("notChecked");
      this.#masking.tally.fail(failure);
      return notChecked;
    }
  }

  /** The JSON of a text, masked; undefined if the text is no JSON. */
  #nested(text: string, scope: Scope, depth: number): string | undefined {
    if (depth > MAX_NESTED || !isJson(text)) return undefined;
    const bytes = Buffer.from(text);
    if (scope.isBuiltIn && !mayMatch(bytes, 0, bytes.length, scope.allBits)) return text;
    const masked = maskJson(bytes, scope, { depth, hasPieces: false, masking: this.#json });
    return masked === bytes ? text : masked.toString();
  }

  #text(text: string, scope: Scope, depth: number, isDistinct: boolean): string {
    const whole = scope.whole;
    if (whole && !isOwnToken(whole, text, isDistinct)) {
      return this.#tokenOf(whole, text, isDistinct);
    }
    return this.#inside(text, scope, depth, isDistinct);
  }

  /** Masks what is in a text that is not masked as a whole. */
  #inside(text: string, scope: Scope, depth: number, isDistinct: boolean): string {
    return this.#nested(text, scope, depth + 1) ?? this.#replaced(text, scope, isDistinct);
  }

  #replaced(text: string, scope: Scope, isDistinct: boolean): string {
    const matches = findMatches(text, scope.texts);
    if (matches.length === 0) return text;
    let masked = "";
    let at = 0;
    for (const match of matches) {
      masked += text.slice(at, match.start) + this.#token(match, isDistinct);
      at = match.end;
    }
    return masked + text.slice(at);
  }

  #value(value: MaskableValue, scope: Scope, place: PlaceBelow): MaskableValue {
    if (value === null) return null;
    this.#room.add(typeof value === "string" ? value.length : 1);
    const { name, depth, hasPieces } = place;
    const whole = wholeRule(scope, name, () => (typeof value === "string" ? value : undefined));
    if (whole) return this.#wholeValue(value, whole);
    if (typeof value === "string") return this.#inside(value, scope, 0, false);
    if (typeof value === "number") return this.#number(value, scope);
    if (typeof value === "boolean") return value;
    if (depth === MAX_DEPTH) return NOT_CHECKED;
    const inside = { depth: depth + 1, hasPieces };
    if (isList(value)) {
      if (hasPieces && value.every((item) => typeof item === "string")) return this.#pieces(value, scope);
      return value.map((item, index) => this.#value(item, scope.below(String(index)), inside));
    }
    const { role } = value;
    const pairName = pairNameOf(value);
    const inner = typeof role === "string" ? scope.inRole(role) : scope;
    // A key may be any text, `__proto__` too.
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        this.#replaced(key, inner, true),
        this.#value(item, inner.below(key), {
          ...inside,
          name: key === "value" && pairName !== undefined ? pairName : key,
        }),
      ]),
    );
  }

  /** Strings that may be the pieces of one text. */
  #pieces(list: string[], scope: Scope): MaskableValue[] {
    const bytes = Buffer.from(JSON.stringify(list));
    const masked = maskJson(bytes, scope, { depth: 0, hasPieces: true, masking: this.#json });
    return masked === bytes ? list : JSON.parse(masked.toString());
  }

  #wholeValue(value: MaskableValue, rule: CompiledRule): MaskableValue {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (typeof value === "string" && isOwnToken(rule, value)) return value;
    const token = this.#tokenOf(rule, text);
    return rule.method === "remove" ? null : token;
  }

  #number(value: number, scope: Scope): MaskableValue {
    const [match] = scope.card && Number.isInteger(value) ? findMatches(String(value), [scope.card]) : [];
    return match ? this.#token(match, false) : value;
  }

  #token({ rule, value }: Match, isDistinct: boolean): string {
    return this.#tokenOf(rule, value, isDistinct);
  }

  #wholeToken(rule: CompiledRule, value: string): string {
    const token = this.#tokenOf(rule, value);
    return rule.method === "remove" ? "null" : JSON.stringify(token);
  }

  /** Counts a value, and makes the token that stands for it. */
  #tokenOf(rule: CompiledRule, value: string, isDistinct = false): string {
    const { key } = this.#masking;
    const token = isDistinct ? hashToken(rule, value, key) : makeToken(rule, value, key);
    const longer = Math.max(0, token.length - value.length);
    this.#count({ rule, method: isDistinct ? "hash" : rule.method, longer });
    return token;
  }

  /** Counts what was masked in a payload and is masked in the next one, too. */
  #countAgain(masked: readonly MaskedValue[]) {
    for (const value of masked) this.#count(value);
  }

  #count(value: MaskedValue) {
    const { rule, method, longer } = value;
    this.#room.take(rule, longer);
    const counted = rule.type === "key" ? "secret" : rule.type;
    this.#masked?.push(value);
    this.#add(counted);
    if (rule.id !== undefined) this.#add(RULE_PREFIX + rule.id);
    this.#masking.tally.countValue(counted, method);
  }

  #add(counted: string) {
    this.#counts[counted] = (this.#counts[counted] ?? 0) + 1;
  }
}

/** The name of a value that stands beside it: `{"name": "authorization", "value": "…"}`. */
const pairNameOf = ({ name, key, header }: { readonly [key: string]: MaskableValue }): string | undefined =>
  [name, key, header].find((text) => typeof text === "string" && isSecretName(text))?.toString();

const isList = (value: MaskableValue): value is MaskableValue[] => Array.isArray(value);
