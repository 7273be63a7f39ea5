import { Random } from "@whytrace/demo";
import { type SEARCH_WORDS, SELECTIVITY, VOCABULARY } from "./vocabulary.ts";

const CORPUS_CHARACTERS = 2_000_000;

/** Picks words with a skewed frequency, like natural language. */
const word = (random: Random) =>
  VOCABULARY[Math.floor(VOCABULARY.length * random.next() ** 2)] ?? VOCABULARY[0];

/** Writes sentences with quotes and line breaks, so that JSON escaping costs as much as in real payloads. */
function writeCorpus(): string {
  const random = new Random(1);
  const parts: string[] = [];
  for (let length = 0; length < CORPUS_CHARACTERS; ) {
    const words = Array.from({ length: random.between(6, 18) }, () => word(random)).join(" ");
    const sentence = random.chance(0.1) ? `"${words}"\n` : `${words} ${random.between(0, 99_999)}. `;
    parts.push(sentence);
    length += sentence.length;
  }
  return parts.join("");
}

const corpus = writeCorpus();

/** Payload text: a slice of one long text, because generating every word would take longer than storing it. */
export function prose(random: Random, characters: number): string {
  const start = random.between(0, corpus.length - characters - 1);
  return corpus.slice(start, start + characters);
}

/** Text for searches: random words, and each search word with its frequency in `SELECTIVITY`. */
export function searchable(
  random: Random,
  words: number,
  searched: (typeof SEARCH_WORDS)[keyof typeof SEARCH_WORDS],
): string {
  const drawn = Array.from({ length: words }, () => word(random));
  if (random.chance(SELECTIVITY.common)) drawn.push(searched.common);
  if (random.chance(SELECTIVITY.medium)) drawn.unshift(searched.medium);
  if (random.chance(SELECTIVITY.rare)) drawn.unshift(searched.rare);
  return drawn.join(" ");
}
