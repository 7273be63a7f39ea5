import { maskText } from "@whytrace/contract";

/** Texts that share at least this part of their words are one phrasing. */
const MIN_SIMILARITY = 0.6;
/** Bounds the number of comparisons. */
const MAX_PHRASINGS = 200;

interface Phrasing {
  text: string;
  words: Set<string>;
}

/**
 * Groups similar texts: equal ones after masking ids and numbers, and those that share most of their words. Returns the masked
 * text of each group's first member, by the index of the text; texts beyond what is compared have groups of their own. Other work
 * can run between texts.
 */
export function* groupTexts(texts: readonly string[]): Generator<undefined, string[]> {
  const known = new Map<string, string>();
  const phrasings: Phrasing[] = [];
  const groups: string[] = [];
  for (const text of texts) {
    groups.push(groupOf(text));
    yield;
  }
  return groups;

  function groupOf(text: string): string {
    const masked = maskText(text);
    const found = known.get(masked.toLowerCase());
    if (found !== undefined) return found;
    const words = wordsOf(masked);
    const similar = phrasings.find((phrasing) => similarity(words, phrasing.words) >= MIN_SIMILARITY);
    const group = similar?.text ?? masked;
    known.set(masked.toLowerCase(), group);
    if (!similar && phrasings.length < MAX_PHRASINGS) phrasings.push({ text: masked, words });
    return group;
  }
}

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}#_]+/gu));

/** Jaccard's coefficient: the words that both have, of those that either has. */
function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}
