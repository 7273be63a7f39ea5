import type { Random } from "@whytrace/demo";
import { topicWord, zipfWord } from "./lexicon.ts";

/** What the texts of a trace are about: words and identifiers that come back in all of them, as in real work. */
export interface Topic {
  words: readonly [string, ...string[]];
  identifiers: readonly [string, ...string[]];
}

const WORDS = 120;
const IDENTIFIERS = 80;

export const generateTopic = (random: Random): Topic => ({
  words: atLeastOne(WORDS, () => topicWord(random)),
  identifiers: atLeastOne(IDENTIFIERS, () => generateIdentifier(random)),
});

export const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** A name of two or three words in camel case. */
export function generateIdentifier(random: Random): string {
  const parts = Array.from({ length: random.between(1, 2) }, () => capitalized(zipfWord(random)));
  return topicWord(random) + parts.join("");
}

export function atLeastOne<Value>(count: number, generate: () => Value): readonly [Value, ...Value[]] {
  return [generate(), ...Array.from({ length: count - 1 }, generate)];
}
