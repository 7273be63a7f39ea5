import type { Random } from "@whytrace/demo";

/** A pattern as a tree, so that whatever is changed in it, it stays a pattern. */
export type PatternTree =
  | string
  | { sequence: PatternTree[] }
  | { choice: PatternTree[] }
  | { repeated: PatternTree; range: string }
  | { anyCase: PatternTree };

const LEAVES = [
  "a",
  ..."bk019 -!\u00e9\u017f\u212a",
  ...[".", "\\pL", "\\PL", "\\p{Greek}", "\\w", "\\W", "\\d", "\\s", "\\b", "^", "$", "[a-z]", "[^a-z]"],
  ...["[^z]", "[\\pL\\pN]", "(?s:.)", "[\\x{0}-\\x{10ffff}]", "ORD-", "[[:alpha:]]"],
] as const;
const RANGES = [
  "*",
  ...["+", "?", "*?", "+?", "{2}", "{0,9}", "{3,}", "{0,40}", "{0,200}", "{200}", "{0,400}", "{1,999}"],
] as const;
const MAX_DEPTH = 5;

export function patternText(tree: PatternTree): string {
  if (typeof tree === "string") return tree;
  if ("sequence" in tree) return tree.sequence.map(patternText).join("");
  if ("choice" in tree) return `(?:${tree.choice.map(patternText).join("|")})`;
  if ("repeated" in tree) return `(?:${patternText(tree.repeated)})${tree.range}`;
  return `(?i:${patternText(tree.anyCase)})`;
}

export function randomPattern(random: Random, depth = 0): PatternTree {
  const some = (max: number) =>
    Array.from({ length: random.between(2, max) }, () => randomPattern(random, depth + 1));
  if (depth === MAX_DEPTH || random.chance(0.2 * depth)) return random.pick(LEAVES);
  switch (random.between(0, 5)) {
    case 0:
      return { choice: some(4) };
    case 1:
    case 2:
      return { repeated: randomPattern(random, depth + 1), range: random.pick(RANGES) };
    case 3:
      return { anyCase: randomPattern(random, depth + 1) };
    default:
      return { sequence: some(5) };
  }
}

/** A copy with a part that is another one, is repeated, may be something else, or stands twice. */
export function mutatePattern(random: Random, tree: PatternTree, depth = 0): PatternTree {
  const below = (part: PatternTree) => mutatePattern(random, part, depth + 1);
  if (typeof tree !== "string" && random.chance(0.75)) {
    if ("repeated" in tree)
      return random.chance(0.3)
        ? { ...tree, range: random.pick(RANGES) }
        : { ...tree, repeated: below(tree.repeated) };
    if ("anyCase" in tree) return { anyCase: below(tree.anyCase) };
    const parts = "sequence" in tree ? tree.sequence : tree.choice;
    const changed = parts.with(
      random.between(0, parts.length - 1),
      below(random.pick(parts as [PatternTree])),
    );
    return "sequence" in tree ? { sequence: changed } : { choice: changed };
  }
  switch (random.between(0, 5)) {
    case 0:
      return { repeated: tree, range: random.pick(RANGES) };
    case 1:
      return { choice: [tree, randomPattern(random, depth + 2)] };
    case 2:
      return { sequence: [tree, randomPattern(random, depth + 2)] };
    case 3:
      return { sequence: [tree, tree] };
    case 4:
      return { anyCase: tree };
    default:
      return randomPattern(random, depth + 1);
  }
}
