import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import type { MaskingType } from "@whytrace/contract/schemas/masking/settings";
import type { CompiledRule } from "./compiled-rule.ts";

const HASH_LENGTH = 16;
/** Eight, whatever was there: the length tells something, too. */
const ASTERISKS = "********";

/** The text that stands in the place of a match. */
export function makeToken(rule: CompiledRule, value: string, key: Uint8Array): string {
  switch (rule.method) {
    case "hash":
      return hashToken(rule, value, key);
    case "mask":
      return ASTERISKS;
    case "remove":
      return "";
    default:
      return rule.text;
  }
}

/** A token that equal values share, and that cannot be found by guessing values without the key. */
export const hashToken = (
  { word, type }: Pick<CompiledRule, "word" | "type">,
  value: string,
  key: Uint8Array,
) => `[${word}:${hashOf(normalValue(type, value), key)}]`;

/** Whether a whole value is what this rule made of another one: then it stays, and is not counted again. */
export function isOwnToken({ method, word, text }: CompiledRule, value: string, isDistinct = false): boolean {
  if (method === "hash" || isDistinct)
    return (
      value.length === word.length + 19 && value.startsWith(`[${word}:`) && /:[\da-f]{16}\]$/.test(value)
    );
  return (method === "mask" && value === ASTERISKS) || (method === "replace" && value === text);
}

const MAX_CACHED = 2_000;
const MAX_CACHED_LENGTH = 200;

interface KeyCache {
  /** Node.js would make one from the bytes for each hash, which takes five times as long as the hash. */
  secret: KeyObject;
  hashes: Map<string, string>;
}
const caches = new WeakMap<Uint8Array, KeyCache>();

/** The same values come again and again: each call of a model carries the conversation so far. */
function hashOf(value: string, key: Uint8Array): string {
  let cache = caches.get(key);
  if (!cache) {
    cache = { secret: createSecretKey(key), hashes: new Map() };
    caches.set(key, cache);
  }
  const { secret, hashes } = cache;
  const known = hashes.get(value);
  if (known !== undefined) return known;
  const hash = computeHash(value, secret);
  if (hashes.size >= MAX_CACHED) hashes.clear();
  if (value.length <= MAX_CACHED_LENGTH) hashes.set(value, hash);
  return hash;
}

/** 64 bits with a letter among them: a token of digits alone could be taken for a card number. */
function computeHash(value: string, key: KeyObject): string {
  const hash = createHmac("sha256", key).update(value).digest("hex");
  for (let start = 0; start + HASH_LENGTH <= hash.length; start += 1) {
    const part = hash.slice(start, start + HASH_LENGTH);
    if (/[a-f]/.test(part)) return part;
  }
  return hash.slice(0, HASH_LENGTH);
}

/** However a value is written, it is the same one. */
function normalValue(type: MaskingType, value: string): string {
  if (type === "email" || type === "ip") return value.toLowerCase();
  if (type === "phone") return `+${value.replace(/\D/g, "")}`;
  if (type === "card" || type === "iban") return value.replace(/[ -]/g, "");
  return value;
}
