/** A piece of a page that can be found. */
export interface Entry {
  url: string;
  page: string;
  section: string;
  heading: string;
  text: string;
  isInternal?: boolean;
}

export interface Hit {
  entry: Entry;
  score: number;
}

/** Words of questions that say nothing about what is looked for. */
const STOP_WORDS = new Set(
  rawWords(
    "a an and are as at be but by can do does example for from get has have how i if in into is it its me my need no not of on or our out should so that the their them then there this to up use using want was we what when where which who whytrace why will with you your",
  ),
);
/** Words that newcomers type, and the words of these pages. */
const SYNONYMS = stemKeys({
  price: ["cost"],
  expensive: ["cost", "price"],
  docker: ["compose", "image"],
  nginx: ["proxy"],
  https: ["tls"],
  ssl: ["tls"],
  pii: ["redaction", "mask"],
  anonymize: ["redaction", "mask"],
  hide: ["redaction", "mask"],
  show: ["arrive"],
  missing: ["arrive"],
  nextjs: ["next.js", "serverless"],
  team: ["colleague", "workspace"],
  environment: ["configuration"],
  database: ["postgresql"],
  gdpr: ["retention", "delete"],
  invite: ["add-user", "colleague"],
  thumb: ["feedback"],
  rating: ["feedback", "score"],
  vercel: ["serverless"],
  lambda: ["serverless"],
  prometheus: ["metric"],
  slack: ["channel"],
  migrate: ["import", "coming"],
  back: ["backup"],
  install: ["setup"],
  close: ["delete"],
  remove: ["delete"],
  log: ["login", "logout"],
  logout: ["sign"],
  cursor: ["editor", "assistant"],
  mcp: ["editor", "assistant"],
});
const FIELD_WEIGHTS = { page: 5, heading: 4, text: 1 } as const;
/** What a whole field adds to the length of an entry, for the weight of rare words in short entries. */
const K1 = 1.4;
const B = 0.6;
const SYNONYM_WEIGHT = 0.5;
const PREFIX_WEIGHT = 0.6;
const INTERNAL_WEIGHT = 0.4;
const NAME_WEIGHT = 2;
/** For a page that is named so, and not only one of its sections. */
const PAGE_NAME_WEIGHT = 2.5;

/** A small full-text search, by BM25, over entries that fit in memory. */
export class SearchIndex {
  readonly #entries: { entry: Entry; weights: Map<string, number>; length: number }[];
  readonly #frequencies = new Map<string, number>();
  readonly #meanLength: number;

  constructor(entries: Entry[]) {
    this.#entries = entries.map((entry) => {
      const weights = new Map<string, number>();
      let length = 0;
      for (const field of ["page", "heading", "text"] as const)
        for (const word of wordsOf(entry[field])) {
          weights.set(word, (weights.get(word) ?? 0) + FIELD_WEIGHTS[field]);
          length++;
        }
      for (const word of weights.keys()) this.#frequencies.set(word, (this.#frequencies.get(word) ?? 0) + 1);
      return { entry, weights, length };
    });
    this.#meanLength = this.#entries.reduce((sum, { length }) => sum + length, 0) / (entries.length || 1);
  }

  /** The best entry of each page, best first. */
  search(query: string, limit = 10): Hit[] {
    const terms = this.#terms(query);
    const best = new Map<string, Hit & { matched: Set<number> }>();
    for (const { entry, weights, length } of this.#entries) {
      let score = 0;
      const matched = new Set<number>();
      for (const [index, alternatives] of terms.entries()) {
        const scores = [...alternatives].map(([word, weight]) => weight * this.#score(word, weights, length));
        const largest = Math.max(0, ...scores);
        if (largest > 0) matched.add(index);
        score += largest;
      }
      if (matched.size === 0) continue;
      const nameWeight = entry.heading === "" ? PAGE_NAME_WEIGHT : NAME_WEIGHT;
      if (isAbout(entry.heading || entry.page, terms)) score *= nameWeight;
      if (entry.isInternal) score *= INTERNAL_WEIGHT;
      score *= matched.size / terms.length;
      const url = entry.url.replace(/#.*/, "");
      const known = best.get(url);
      const all = new Set([...(known?.matched ?? []), ...matched]);
      best.set(
        url,
        known && known.score >= score ? { ...known, matched: all } : { entry, score, matched: all },
      );
    }
    // A page with all words goes before one that repeats a single word.
    return [...best.values()]
      .map(({ entry, score, matched }) => ({ entry, score: score * (matched.size / terms.length) }))
      .sort((one, other) => other.score - one.score)
      .slice(0, limit);
  }

  /** For each word of the query, what may stand for it, with a weight. */
  #terms(query: string): Map<string, number>[] {
    const words = rawWords(query);
    const telling = words.filter((word) => !STOP_WORDS.has(word));
    const isTyping = telling.length === 0 || telling.at(-1) === words.at(-1);
    return (telling.length > 0 ? telling : words).flatMap(stemsOf).map((word, index, all) => {
      const alternatives = new Map([[word, 1]]);
      for (const synonym of SYNONYMS.get(word) ?? []) alternatives.set(synonym, SYNONYM_WEIGHT);
      // Somebody may still be typing the last word.
      if (isTyping && index === all.length - 1 && word.length > 2)
        for (const known of this.#frequencies.keys())
          if (known.startsWith(word) && known !== word) alternatives.set(known, PREFIX_WEIGHT);
      return alternatives;
    });
  }

  #score(word: string, weights: Map<string, number>, length: number): number {
    const weight = weights.get(word);
    if (weight === undefined) return 0;
    const frequency = this.#frequencies.get(word) ?? 0;
    const rarity = Math.log(1 + (this.#entries.length - frequency + 0.5) / (frequency + 0.5));
    return (rarity * weight * (K1 + 1)) / (weight + K1 * (1 - B + (B * length) / this.#meanLength));
  }
}

/** Whether a heading has no other words than the query. */
function isAbout(heading: string, terms: Map<string, number>[]): boolean {
  const words = rawWords(heading)
    .filter((word) => !STOP_WORDS.has(word) && !/^\d+$/.test(word))
    .flatMap(stemsOf);
  return words.length > 0 && words.every((word) => terms.some((alternatives) => alternatives.has(word)));
}

/** Words in lower case without their endings. */
export function wordsOf(text: string): string[] {
  return rawWords(text).flatMap(stemsOf);
}

function rawWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*/gu) ?? [];
}

/** Names such as `FREE_SESSIONS_PER_DAY` and `add-user` count as one word and by their parts. */
function stemsOf(word: string): string[] {
  const parts = word.split(/[-_.]/);
  return parts.length > 1 ? [word, ...parts.map(stem)] : [stem(word)];
}

/** Entries hold words without their endings, and names whole: the first of `wordsOf`. */
function stemKeys(synonyms: Record<string, string[]>): ReadonlyMap<string, string[]> {
  const first = (word: string) => wordsOf(word)[0] ?? word;
  return new Map(Object.entries(synonyms).map(([word, others]) => [first(word), others.map(first)]));
}

function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  return word
    .replace(/(ss|us|is)$/, "$1$1")
    .replace(/ies$/, "y")
    .replace(/(?<=[^s])(?:es|s)$/, "")
    .replace(/(?:ing|ed|er|or|ion)$/, "")
    .replace(/e$/, "")
    .replace(/(ss|us|is)\1$/, "$1");
}
