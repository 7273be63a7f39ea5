import type { Random } from "@whytrace/demo";
import { generateProse } from "./generate-prose.ts";
import { zipfWord } from "./lexicon.ts";
import { atLeastOne, type Topic } from "./topic.ts";

type Cell = string | number | boolean | null | { [key: string]: string };
type Column = readonly [key: string, generate: () => Cell];

/** A JSON document of about this many characters as tools return it: records with the same keys and different values. */
export function generateDocument(random: Random, topic: Topic, characters: number) {
  const columns = atLeastOne(random.between(5, 9), () => generateColumn(random, topic));
  const items: Record<string, Cell>[] = [];
  for (let length = 0; length < characters; ) {
    const item = Object.fromEntries([
      ["id", random.hex(random.pick([12, 24, 32]))],
      ...columns.map(([key, generate]) => [key, generate()]),
    ]);
    items.push(item);
    length += JSON.stringify(item).length;
  }
  return {
    total: items.length * random.between(1, 40),
    items,
    next: random.chance(0.5) ? random.hex(32) : null,
  };
}

function generateColumn(random: Random, topic: Topic): Column {
  const key = `${zipfWord(random)}_${random.pick(topic.words)}`;
  const values = atLeastOne(random.between(2, 6), () => zipfWord(random));
  const dayMs = Date.UTC(2026, random.between(0, 9), random.between(1, 28));
  return random.pick<[Column, ...Column[]]>([
    [key, () => random.pick(values)],
    [key, () => random.between(0, 100_000)],
    [key, () => Math.round(random.logNormal(40, 1.2) * 100) / 100],
    [`${zipfWord(random)}At`, () => new Date(dayMs + random.between(0, 86_400_000)).toISOString()],
    [key, () => random.chance(0.8)],
    ["summary", () => generateProse(random, topic, random.between(20, 160))],
    [
      "url",
      () => `https://${random.pick(values)}.example.com/${zipfWord(random)}/${random.between(1, 99_999)}`,
    ],
    [
      "owner",
      () => ({
        name: `${zipfWord(random)} ${zipfWord(random)}`,
        email: `${zipfWord(random)}.${random.between(1, 999)}@example.com`,
      }),
    ],
  ]);
}
