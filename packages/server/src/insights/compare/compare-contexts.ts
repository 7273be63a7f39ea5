import type { ComparedContextKey } from "@whytrace/contract";
import type { ContextKeyCounts } from "@whytrace/contract/schemas/insights/comparison";
import { flattenContext } from "./flatten-context.ts";

/** A context snapshot as JSON, and the reasoning that was given with it. */
export interface DecisionContext {
  context: string | null;
  reasoning: string | null;
}

/** Longer values are truncated when they have been compared. */
const MAX_VALUE_LENGTH = 300;

/** What is known of the keys of two contexts. */
interface ComparedContexts {
  keys: ComparedContextKey[];
  /** Whether a context has more values than were compared. Keys that may be among the others are left out. */
  isTruncated: boolean;
}

/**
 * Compares two context snapshots key by key, in the order of the first. A value that is the same in both is flagged if
 * only one reasoning names it: that run took notice of it, the other did not.
 */
export function compareContexts(a: DecisionContext, b: DecisionContext): ComparedContexts {
  const { pairs, isTruncated } = pairValues(a, b);
  const [inA, inB] = [phrasesOf(a.reasoning ?? ""), phrasesOf(b.reasoning ?? "")];
  const keys = pairs.map(([key, aValue, bValue]): ComparedContextKey => {
    const isEqual = aValue === bValue;
    const names = isEqual && aValue !== null ? namesOf(key, aValue) : [];
    const isInA = names.some((name) => inA.has(name));
    const isInB = names.some((name) => inB.has(name));
    return {
      key,
      a: truncate(aValue),
      b: truncate(bValue),
      isEqual,
      namedIn: isInA === isInB ? null : isInA ? "a" : "b",
    };
  });
  return { keys, isTruncated };
}

/** How many keys of two context snapshots there are, and how many differ. */
export function countContextKeys(a: DecisionContext, b: DecisionContext): ContextKeyCounts {
  const { pairs, isTruncated } = pairValues(a, b);
  const differing = pairs.filter(([, aValue, bValue]) => aValue !== bValue).length;
  return { differing, keys: pairs.length, isTruncated };
}

function pairValues(a: DecisionContext, b: DecisionContext) {
  const [aFlat, bFlat] = [flattenContext(a.context), flattenContext(b.context)];
  const pairs: [key: string, a: string | null, b: string | null][] = [];
  for (const [key, value] of aFlat.values) {
    const other = bFlat.values.get(key) ?? null;
    if (other !== null || !bFlat.isTruncated) pairs.push([key, value, other]);
  }
  for (const [key, value] of bFlat.values)
    if (!aFlat.values.has(key) && !aFlat.isTruncated) pairs.push([key, null, value]);
  return { pairs, isTruncated: aFlat.isTruncated || bFlat.isTruncated };
}

const truncate = (text: string | null) =>
  text !== null && text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;

/** Shorter words, such as "id" and 1, are found in many texts by chance. */
const MIN_NAME_LENGTH = 3;
/** Nobody repeats longer names and values literally. */
const MAX_NAME_WORDS = 6;
const MAX_NAME_LENGTH = 200;
const LITERALS = new Set(["true", "false", "null"]);

/** What a text would say if it named a key or its value. */
const namesOf = (key: string, value: string): string[] =>
  [key.slice(key.lastIndexOf(".") + 1), value]
    .filter((text) => text.length <= MAX_NAME_LENGTH)
    .map((text) => wordsOf(text).join(" "))
    .filter((name) => name.length >= MIN_NAME_LENGTH && !LITERALS.has(name));

/** Each sequence of words of a text that is no longer than a name, so that a name is looked up and not searched for. */
function phrasesOf(text: string): Set<string> {
  const phrases = new Set<string>();
  const words = wordsOf(text);
  for (let first = 0; first < words.length; first += 1) {
    let phrase = "";
    for (const word of words.slice(first, first + MAX_NAME_WORDS)) {
      phrase = phrase === "" ? word : `${phrase} ${word}`;
      if (phrase.length > MAX_NAME_LENGTH) break;
      phrases.add(phrase);
    }
  }
  return phrases;
}

/** The words of a text in lower case; "refundCount" and "refund_count" are both two words. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
