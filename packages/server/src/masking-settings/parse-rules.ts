import { randomUUID } from "node:crypto";
import {
  MASKING_LEVELS,
  MASKING_METHODS,
  MASKING_TYPES,
  MAX_MASKING_RULES,
  MAX_PATTERN_LENGTH,
  MAX_RULE_KEY_LENGTH,
  MAX_RULE_KEYS,
  MAX_RULE_NAME_LENGTH,
  MAX_RULE_TEXT_LENGTH,
  type MaskingLevel,
  type MaskingRule,
} from "@whytrace/contract/schemas/masking/settings";
import { HttpError } from "../http/http-error.ts";
import { parseSource } from "../masking/source.ts";
import { SLOW_AT_WORST } from "./check-patterns.ts";

const INVALID_LEVEL = `Invalid level. Must be one of: ${MASKING_LEVELS.join(", ")}`;
const TOO_MANY = `At most ${MAX_MASKING_RULES} rules`;
const NO_RULES = "rules must be an array";
const KEYS = `keys must be 1 to ${MAX_RULE_KEYS} names of at most ${MAX_RULE_KEY_LENGTH} characters`;
const TEXT = `text must have at most ${MAX_RULE_TEXT_LENGTH} characters`;
const NAME = `name must have 1 to ${MAX_RULE_NAME_LENGTH} characters`;
const LONG_PATTERN = `the pattern must have at most ${MAX_PATTERN_LENGTH} characters`;
const METHOD = `invalid method. Must be one of: ${MASKING_METHODS.join(", ")}`;
const TYPE = `invalid type. Must be one of: ${MASKING_TYPES.join(", ")}`;

/** For the API reference. */
export const RULE_ERRORS = [
  INVALID_LEVEL,
  TOO_MANY,
  ...[
    METHOD,
    TYPE,
    "the pattern is not supported: lookahead, lookbehind and backreferences cannot be matched in linear time",
    "the pattern is not a regular expression",
    "the pattern matches the empty text",
    SLOW_AT_WORST,
    KEYS,
    "invalid source",
    TEXT,
    NAME,
  ].map((text) => `Rule <n>: ${text}`),
];

/** Checks a level that was sent. */
export function parseLevel(sent: unknown): MaskingLevel {
  const level = MASKING_LEVELS.find((known) => known === sent);
  if (!level) throw new HttpError(400, INVALID_LEVEL);
  return level;
}

/**
 * Checks rules that were sent, one after the other, and gives those without an id one. Patterns are compiled elsewhere: that may take as
 * long as matching them.
 */
export function parseRules(sent: unknown): MaskingRule[] {
  if (!Array.isArray(sent)) throw new HttpError(400, NO_RULES);
  if (sent.length > MAX_MASKING_RULES) throw new HttpError(400, TOO_MANY);
  return sent.map((rule: unknown, index) => {
    try {
      return parseRule(isRecord(rule) ? rule : {});
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      throw new HttpError(400, `Rule ${index + 1}: ${error.message}`);
    }
  });
}

class RuleError extends Error {}

type Sent = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Sent => typeof value === "object" && value !== null;

function parseRule(sent: Sent): MaskingRule {
  const method = MASKING_METHODS.find((known) => known === sent.method);
  if (!method) throw new RuleError(METHOD);
  const type = MASKING_TYPES.find((known) => known === sent.type);
  if (!type) throw new RuleError(TYPE);
  const { id, name, source, isEnabled, text } = sent;
  const pattern = type === "pattern" ? parsePattern(sent.pattern) : undefined;
  const keys = type === "key" && sent.keys !== undefined ? parseKeys(sent.keys) : undefined;
  if (typeof source !== "string" || !parseSource(source)) throw new RuleError("invalid source");
  if (text !== undefined && !isText(text, 0, MAX_RULE_TEXT_LENGTH)) throw new RuleError(TEXT);
  if (!isText(name, 1, MAX_RULE_NAME_LENGTH)) throw new RuleError(NAME);
  return {
    id: isText(id, 1, MAX_RULE_NAME_LENGTH) ? id : randomUUID(),
    name,
    ...(isEnabled === false && { isEnabled }),
    method,
    type,
    source,
    ...(pattern !== undefined && { pattern }),
    ...(keys && { keys }),
    ...(text !== undefined && { text }),
  };
}

/** PostgreSQL stores no NUL, and tokens are texts that people read. */
const isText = (value: unknown, min: number, max: number): value is string =>
  typeof value === "string" &&
  value.length >= min &&
  value.length <= max &&
  !value.includes("\0") &&
  value.isWellFormed();

function parsePattern(pattern: unknown): string {
  if (typeof pattern !== "string") throw new RuleError("the pattern is not a regular expression");
  if (!isText(pattern, 0, MAX_PATTERN_LENGTH)) throw new RuleError(LONG_PATTERN);
  return pattern;
}

function parseKeys(keys: unknown): string[] {
  if (!Array.isArray(keys) || keys.length < 1 || keys.length > MAX_RULE_KEYS) throw new RuleError(KEYS);
  return keys.map((key: unknown) => {
    if (!isText(key, 1, MAX_RULE_KEY_LENGTH)) throw new RuleError(KEYS);
    return key;
  });
}
