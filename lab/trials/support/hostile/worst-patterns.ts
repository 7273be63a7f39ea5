import { MAX_PATTERN_LENGTH } from "@whytrace/contract/schemas/masking/settings";
import type { Random } from "@whytrace/demo";
import { compileRules } from "../../../../packages/server/src/masking/compile-rules.ts";
import { PatternError } from "../../../../packages/server/src/masking/find/own-pattern.ts";
import { threadMs } from "../../../../packages/server/src/masking/find/pattern-budget.ts";
import { Masker } from "../../../../packages/server/src/masking/masker.ts";
import { MAX_PATTERN_MS_HERE } from "../../../../packages/server/src/masking/maskings.ts";
import { checkPatterns } from "../../../../packages/server/src/masking-settings/check-patterns.ts";
import { type HostileText, mutateText, randomText, textOf } from "./attack.ts";
import { mutatePattern, type PatternTree, patternText, randomPattern } from "./pattern-tree.ts";

const KEPT = 12;
const FRESH_SHARE = 0.3;
const TEXT_LENGTH = 49_152;
const ROUNDS = 2;
const KEY = Buffer.alloc(32, 7);

interface CostlyPattern {
  tree: PatternTree;
  text: HostileText;
  pattern: string;
  /** CPU time to compile it, or to mask the text with it, whatever is more. */
  ms: number;
}

/** Changes patterns that can be saved, and texts for them, and keeps what takes most time. The costliest first. */
export function searchPatterns(random: Random, maxMs: number): { patterns: CostlyPattern[]; tried: number } {
  const end = performance.now() + maxMs;
  const patterns: CostlyPattern[] = [];
  let tried = 0;
  for (; performance.now() < end; tried += 1) {
    const costly = costOf(changedOf(random, patterns));
    const least = patterns.length < KEPT ? undefined : patterns.at(-1);
    if (!costly || (least && costly.ms <= least.ms) || !isAccepted(costly.pattern)) continue;
    const same = patterns.findIndex(({ pattern }) => pattern === costly.pattern);
    if (same >= 0 && (patterns[same]?.ms ?? 0) >= costly.ms) continue;
    if (same >= 0 || least) patterns.splice(same, 1);
    patterns.push(costly);
    patterns.sort((a, b) => b.ms - a.ms);
  }
  return { patterns, tried };
}

function changedOf(random: Random, patterns: readonly CostlyPattern[]): Pick<CostlyPattern, "tree" | "text"> {
  const known = patterns[random.between(0, patterns.length - 1)];
  if (!known || random.chance(FRESH_SHARE)) return { tree: randomPattern(random), text: randomText(random) };
  return random.chance(0.5)
    ? { tree: mutatePattern(random, known.tree), text: known.text }
    : { tree: known.tree, text: mutateText(random, known.text) };
}

/** Undefined if it is none that the API takes. */
function costOf({ tree, text }: Pick<CostlyPattern, "tree" | "text">): CostlyPattern | undefined {
  const pattern = patternText(tree);
  if (pattern.length > MAX_PATTERN_LENGTH) return undefined;
  const rule = { name: "own", type: "pattern", method: "hash", source: "*", pattern } as const;
  const long = textOf(text, TEXT_LENGTH);
  const masking = { version: 1, level: "off", floor: "off", rules: [rule], key: KEY } as const;
  let least = Number.POSITIVE_INFINITY;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const startedAt = threadMs();
      const compiled = compileRules({ ...masking, maxPatternMsPerText: MAX_PATTERN_MS_HERE });
      const compiledAt = threadMs();
      new Masker(compiled).text(long, "input");
      least = Math.min(least, Math.max(compiledAt - startedAt, threadMs() - compiledAt));
    }
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
  return { tree, text, pattern, ms: least };
}

function isAccepted(pattern: string): boolean {
  try {
    checkPatterns([{ number: 1, pattern, isEnabled: true }], true);
    return true;
  } catch {
    return false;
  }
}
