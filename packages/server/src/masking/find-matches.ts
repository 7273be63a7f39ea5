import type { CompiledRule } from "./compiled-rule.ts";
import { NO_RANGES } from "./find/find-ranges.ts";
import { maxMatchesIn, TooManyMatches } from "./find/text-not-checked.ts";

/** A part of a text that is masked. */
export interface Match {
  start: number;
  end: number;
  /** The first rule of those that match here, and what it matched. */
  rule: CompiledRule;
  value: string;
}

const NONE: readonly Match[] = [];

/** What rules match in the pieces of a text, in each alone and in all of them together. */
export function findMatchesInPieces(
  pieces: readonly string[],
  rules: readonly CompiledRule[],
): readonly Match[] {
  const found: Match[] = [...findMatches(pieces.join(""), rules)];
  let offset = 0;
  for (const piece of pieces) {
    for (const { start, end, ...match } of findMatches(piece, rules))
      found.push({ ...match, start: offset + start, end: offset + end });
    offset += piece.length;
  }
  return union(found);
}

/**
 * What rules match in a text, in the order of the text. Matches that overlap are one, from the first to the last character:
 * nothing that any rule matched stays.
 */
export function findMatches(text: string, rules: readonly CompiledRule[]): readonly Match[] {
  // The patterns of a workspace share one.
  const budget = rules.find((rule) => rule.budget)?.budget;
  if (!budget) return findAll(text, rules);
  budget.begin(text);
  try {
    return findAll(text, rules);
  } finally {
    budget.end();
  }
}

function findAll(text: string, rules: readonly CompiledRule[]): readonly Match[] {
  let found: Match[] | undefined;
  let plain: string | undefined;
  /** What exceptions match: no pattern masks what is inside of it. */
  let kept: readonly number[] = NO_RANGES;
  for (const rule of rules) {
    if (!rule.find) continue;
    if (!rule.budget) plain ??= withoutEscapeLetters(text);
    const ranges = rule.find(rule.budget ? text : (plain ?? text));
    if (rule.method === "keep") {
      if (ranges.length > 0) kept = [...kept, ...ranges];
      continue;
    }
    for (let index = 0; index < ranges.length; index += 2) {
      const [start = 0, end = 0] = [ranges[index], ranges[index + 1]];
      if (rule.type === "pattern" && isInside(kept, start, end)) continue;
      found ??= [];
      if (rule.budget && found.length > maxMatchesIn(text))
        throw new TooManyMatches({ name: rule.name ?? rule.type, id: rule.id });
      found.push({ start, end, rule, value: text.slice(start, end) });
    }
  }
  return found ? union(found) : NONE;
}

function isInside(ranges: readonly number[], start: number, end: number): boolean {
  for (let index = 0; index < ranges.length; index += 2)
    if ((ranges[index] ?? 0) <= start && end <= (ranges[index + 1] ?? 0)) return true;
  return false;
}

function union(found: Match[]): Match[] {
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Match[] = [];
  for (const match of found) {
    const last = merged.at(-1);
    if (!last || match.start >= last.end) {
      merged.push(match);
      continue;
    }
    last.end = Math.max(last.end, match.end);
    if (match.rule.rank < last.rule.rank) {
      last.rule = match.rule;
      last.value = match.value;
    }
  }
  return merged;
}

const ESCAPE = /\\(?:[bfnrt]|u[\da-fA-F]{4})/g;

/**
 * A text may contain JSON, whose line breaks are a backslash and a letter. That letter is neither a part of an address nor a
 * letter beside a number. The text keeps its length.
 */
function withoutEscapeLetters(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(ESCAPE, (letters) => "\\".padEnd(letters.length, "\u0001"));
}
