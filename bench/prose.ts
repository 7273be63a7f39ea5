import { Random } from "@whytrace/demo";
import { type SEARCH_WORDS, SELECTIVITY, VOCABULARY } from "./vocabulary.ts";

const CORPUS_CHARACTERS = 2_000_000;

/** Words by a curve like that of natural language: the first ones often, the last ones seldom. */
const word = (random: Random) =>
  VOCABULARY[Math.floor(VOCABULARY.length * random.next() ** 2)] ?? VOCABULARY[0];

/** Sentences with quotes and line ends, as payloads have, so that escaping costs what it does there. */
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

/** Payload text: a cut from one long text, as drawing every word anew would take longer than storing it. */
export function prose(random: Random, characters: number): string {
  const start = random.between(0, corpus.length - characters - 1);
  return corpus.slice(start, start + characters);
}

/** Text that is searched: every word drawn, the search words each as often as they should be. */
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
