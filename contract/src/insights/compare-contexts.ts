import type { ComparedContextKey } from "./comparison.ts";
import { flattenContext } from "./flatten-context.ts";

/** A context snapshot as JSON, and the reasoning that was given with it. */
export interface DecisionContext {
  context: string | null;
  reasoning: string | null;
}

/** Longer values are truncated when they have been compared. */
const MAX_VALUE_LENGTH = 300;

/**
 * Compares two context snapshots key by key, in the order of the first. A value that is the same in both is flagged if
 * only one reasoning names it: that run took notice of it, the other did not.
 */
export function compareContexts(a: DecisionContext, b: DecisionContext): ComparedContextKey[] {
  const aValues = flattenContext(a.context);
  const bValues = flattenContext(b.context);
  const [aWords, bWords] = [toWords(a.reasoning ?? ""), toWords(b.reasoning ?? "")];
  return Array.from(new Set([...aValues.keys(), ...bValues.keys()]), (key) => {
    const aValue = aValues.get(key) ?? null;
    const bValue = bValues.get(key) ?? null;
    const isEqual = aValue === bValue;
    const names = isEqual && aValue !== null ? namesOf(key, aValue) : [];
    const isInA = names.some((name) => aWords.includes(name));
    const isInB = names.some((name) => bWords.includes(name));
    return {
      key,
      a: truncate(aValue),
      b: truncate(bValue),
      isEqual,
      namedIn: isInA === isInB ? null : isInA ? "a" : "b",
    };
  });
}

const truncate = (text: string | null) =>
  text !== null && text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;

/** Shorter words, such as "id" and 1, are found in many texts by chance. With the blanks around it. */
const MIN_NAME_LENGTH = 3 + 2;
const LITERALS = new Set([" true ", " false ", " null "]);

/** What a text would say if it named a key or its value. */
const namesOf = (key: string, value: string): string[] =>
  [key.slice(key.lastIndexOf(".") + 1), value]
    .map(toWords)
    .filter((name) => name.length >= MIN_NAME_LENGTH && !LITERALS.has(name));

/** The words of a text in lower case, with a blank around each; "refundCount" and "refund_count" are both two words. */
const toWords = (text: string) =>
  ` ${text
    .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
