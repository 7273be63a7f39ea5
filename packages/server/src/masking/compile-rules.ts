import {
  MASKING_LEVELS,
  type MaskingLevel,
  type MaskingMethod,
  type MaskingRule,
  type MaskingType,
} from "@whytrace/contract/schemas/masking/settings";
import type { RE2JS } from "re2js";
import { runInTimeSlices } from "../concurrency/run-in-time-slices.ts";
import { CompiledMasking } from "./compiled-masking.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import { findCards } from "./find/find-cards.ts";
import { findEmails } from "./find/find-emails.ts";
import { findIbans } from "./find/find-ibans.ts";
import { findIps } from "./find/find-ips.ts";
import { findPhones } from "./find/find-phones.ts";
import type { FindRanges } from "./find/find-ranges.ts";
import { findSecrets } from "./find/find-secrets.ts";
import { looksLikeSecret } from "./find/looks-like-secret.ts";
import { compilePattern, findPattern } from "./find/own-pattern.ts";
import { PatternBudget } from "./find/pattern-budget.ts";
import type { MaskingTally } from "./masking-tally.ts";
import { isSecretName, isWholeSecretName, normalName } from "./secret-names.ts";
import { parseSource } from "./source.ts";

const FINDERS: Readonly<Partial<Record<MaskingType, FindRanges>>> = {
  email: findEmails,
  phone: findPhones,
  card: findCards,
  iban: findIbans,
  ip: findIps,
  secret: findSecrets,
};

const SECRETS: readonly [MaskingType, MaskingMethod][] = [
  ["secret", "replace"],
  ["card", "replace"],
  ["key", "replace"],
];
const PERSONAL: readonly [MaskingType, MaskingMethod][] = [
  ...SECRETS,
  ["email", "hash"],
  ["phone", "hash"],
  ["iban", "hash"],
  ["ip", "hash"],
];
/** What each level masks. At `structure`, what is left of texts passes `personal`. */
const LEVEL_TYPES: Readonly<Record<MaskingLevel, readonly [MaskingType, MaskingMethod][]>> = {
  off: [],
  secrets: SECRETS,
  personal: PERSONAL,
  structure: PERSONAL,
};

interface MaskingToCompile {
  version: number;
  level: MaskingLevel;
  floor: MaskingLevel;
  rules: readonly MaskingRule[];
  key: Uint8Array;
  /** Default: one that nobody reads. */
  tally?: MaskingTally;
  /** What own patterns may take for one text in this thread. Default: what is in proportion to its length. */
  maxPatternMsPerText?: number;
  /** Patterns that are compiled already. */
  patterns?: ReadonlyMap<string, RE2JS>;
}

/** Compiles rules where others wait: a pattern with large classes takes tens of milliseconds, so they pause between patterns. */
export async function compileRulesInTimeSlices(masking: MaskingToCompile): Promise<CompiledMasking> {
  const patterns = await runInTimeSlices(compilePatterns(masking.rules));
  return compileRules({ ...masking, patterns });
}

function* compilePatterns(rules: readonly MaskingRule[]): Generator<undefined, Map<string, RE2JS>> {
  const patterns = new Map<string, RE2JS>();
  for (const { type, pattern, isEnabled = true } of rules) {
    if (type !== "pattern" || pattern === undefined || !isEnabled) continue;
    patterns.set(pattern, compilePattern(pattern));
    yield;
  }
  return patterns;
}

/** The higher one of two levels. */
export const higherLevel = (a: MaskingLevel, b: MaskingLevel): MaskingLevel =>
  MASKING_LEVELS.indexOf(a) > MASKING_LEVELS.indexOf(b) ? a : b;

/** Compiles the rules in their order, then the level. Throws if a rule cannot be compiled. */
export function compileRules({
  version,
  level,
  floor,
  rules,
  key,
  tally,
  maxPatternMsPerText,
  patterns = new Map(),
}: MaskingToCompile): CompiledMasking {
  const effective = higherLevel(level, floor);
  const budget = new PatternBudget(maxPatternMsPerText);
  const own = rules
    .filter(({ isEnabled = true }) => isEnabled)
    .map((rule, rank) => compileRule(rule, rank, { budget, patterns }));
  const floorTypes = new Set(LEVEL_TYPES[floor].map(([type]) => type));
  const ofLevel = LEVEL_TYPES[effective].map(([type, method], index) => ({
    ...compileRule({ name: type, type, method, source: "*" }, own.length + index, { budget, patterns }),
    name: null,
    isFloor: floorTypes.has(type),
  }));
  return new CompiledMasking({ version, level: effective, key, tally }, [...own, ...ofLevel]);
}

const MAX_WORD_LENGTH = 32;

/** The word in tokens: the type, or the rule's name if the type says nothing. */
function wordOf({ type, name }: MaskingRule): string {
  if (type === "key") return "secret";
  if (type !== "pattern" && type !== "anything") return type;
  return name.slice(0, MAX_WORD_LENGTH).replace(/[^A-Za-z\d_-]/g, "-");
}

/** What the method `replace` writes. */
export const fixedToken = (rule: MaskingRule): string => rule.text ?? `[${wordOf(rule)}]`;

interface OwnPatterns {
  budget: PatternBudget;
  patterns: ReadonlyMap<string, RE2JS>;
}

function compileRule(rule: MaskingRule, rank: number, { budget, patterns }: OwnPatterns): CompiledRule {
  const { type, method, pattern, keys } = rule;
  const source = parseSource(rule.source);
  if (!source) throw new Error("A rule has an invalid source");
  const compiled: CompiledRule = {
    rank,
    type,
    name: rule.name,
    method,
    source,
    word: wordOf(rule),
    text: fixedToken(rule),
    isPartial: type === "pattern" || (type === "key" && keys !== undefined),
    isFloor: false,
    isBuiltIn:
      type !== "anything" && type !== "pattern" && !(type === "key" && keys) && source.path.length === 0,
  };
  if (rule.id !== undefined) compiled.id = rule.id;
  const find = FINDERS[type];
  if (find) compiled.find = find;
  if (type === "pattern") {
    compiled.budget = budget;
    const program = patterns.get(pattern ?? "") ?? compilePattern(pattern ?? "");
    compiled.find = findPattern(program, budget, { name: rule.name, id: rule.id });
  }
  if (type === "key" && keys) compiled.isNamed = isOneOf(keys);
  else if (type === "key") {
    compiled.isNamed = (name) => isSecretName(name) || isWholeSecretName(name);
    compiled.isMasked = (name, text) => isSecretName(name) || looksLikeSecret(text() ?? "");
  }
  return compiled;
}

function isOneOf(keys: readonly string[]): (name: string) => boolean {
  const names = new Set(keys.map(normalName));
  return (name) => names.has(normalName(name));
}
