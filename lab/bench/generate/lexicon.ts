import { Random } from "@whytrace/demo";
import { VOCABULARY } from "./vocabulary.ts";

const PREFIXES = ["", "re", "un", "pre", "inter", "over", "sub", "de", "co", "mis", "out", "trans"];
const ROOTS =
  `form port struct cess duct vert tain pos mit ject scrib spect tract vis claim serv gress fer clud plic solv nect quir
sist tend vok fund press cept grad nov log graph meter chron cycl dyn gen therm path val ven lig mark bind cod draft
frame grant hash join load merg patch rout scal shift stor sync tagg vot weigh yield arch bolt crest dwell fjord glyph`.split(
    /\s+/,
  );
const SUFFIXES =
  "s ed ing ion ions er ers able al ive ment ments ity ly or ance ent ful ism ist ize ized age ary".split(
    " ",
  );
const RARE_WORDS = 8_000;
/** Zipf-Mandelbrot: the frequency of the word of rank r is proportional to 1 / (r + 2.7). */
const RANK_OFFSET = 2.7;

/** Several thousand words, most common first: everyday words, then words composed like technical terms. */
const words: readonly string[] = [...VOCABULARY, ...composeRareWords()];
const cumulativeWeights = words.reduce<number[]>((sums, _, rank) => {
  sums.push((sums.at(-1) ?? 0) + 1 / (rank + RANK_OFFSET));
  return sums;
}, []);
const totalWeight = cumulativeWeights.at(-1) ?? 1;

/** Picks a word with the frequencies of natural language. */
export function zipfWord(random: Random): string {
  const target = random.next() * totalWeight;
  let low = 0;
  let high = words.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cumulativeWeights[middle] ?? 0) <= target) low = middle + 1;
    else high = middle;
  }
  return words[low] ?? VOCABULARY[0];
}

/** Picks a word that says what a text is about: one of those that are rare in general. */
export const topicWord = (random: Random): string =>
  words[random.between(VOCABULARY.length, words.length - 1)] ?? VOCABULARY[0];

function composeRareWords(): string[] {
  const composed = PREFIXES.flatMap((prefix) =>
    ROOTS.flatMap((root) => SUFFIXES.map((suffix) => prefix + root + suffix)),
  );
  const random = new Random(3);
  return composed
    .map((word) => ({ word, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, RARE_WORDS)
    .map(({ word }) => word);
}
