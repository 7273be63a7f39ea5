import {
  CONDITION_KINDS,
  CONDITION_OPS,
  type Condition,
  type ConditionValue,
  MAX_CONDITION_VALUES,
  MAX_CONDITIONS,
  MISSING_RULES,
  SCORE_PLACES,
} from "@whytrace/contract/schemas/outcomes";
import { SCORE_SOURCES } from "@whytrace/contract/schemas/scores";
import { HttpError } from "../../http/http-error.ts";

/* Reads the conditions of a definition by hand, because each error has its text. */

const CONDITION_COUNT = `bad must have 1 to ${MAX_CONDITIONS} conditions`;
const oneOf = (values: readonly string[]) => `must be one of: ${values.join(", ")}`;
const FROM_0 = "must be a number from 0 on";
const MAX_TEXT_LENGTH = 1_024;

/** Error texts for the API reference. */
export const CONDITION_ERRORS = [CONDITION_COUNT, "Invalid condition <index>: <what>"];

type Sent = Readonly<Record<string, unknown>>;

/** Says what is wrong with a condition. */
class ConditionError extends Error {}

/** Returns the conditions, or throws 400 for the first one that says nothing. */
export function parseConditions(bad: unknown): Condition[] {
  if (!Array.isArray(bad) || bad.length === 0 || bad.length > MAX_CONDITIONS)
    throw new HttpError(400, CONDITION_COUNT);
  return bad.map((sent: unknown, index) => {
    try {
      return parseCondition(typeof sent === "object" && sent !== null ? { ...sent } : {});
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      throw new HttpError(400, `Invalid condition ${index}: ${error.message}`);
    }
  });
}

function parseCondition(sent: Sent): Condition {
  const kind = CONDITION_KINDS.find((known) => known === sent.kind);
  switch (kind) {
    case undefined:
      throw new ConditionError(`kind ${oneOf(CONDITION_KINDS)}`);
    case "status":
      if (sent.is !== "ERROR") throw new ConditionError("is must be ERROR");
      return { kind, is: "ERROR" };
    case "feedback":
    case "evaluator":
      return { kind };
    case "score":
      return {
        kind,
        name: text(sent, "name"),
        ...comparison(sent),
        ...optional("source", choice(sent, "source", SCORE_SOURCES)),
        ...optional("at", choice(sent, "at", SCORE_PLACES)),
        ...missingOf(sent),
      };
    case "tag":
      return { kind, is: text(sent, "is") };
    case "metadata":
      return { kind, key: text(sent, "key"), ...comparison(sent), ...missingOf(sent) };
    case "cost":
      return { kind, above: fromZero(sent, "above"), ...missingOf(sent) };
    case "duration":
      return { kind, aboveMs: fromZero(sent, "aboveMs") };
    case "event":
      return { kind, ...either(sent, "type", "name") };
    case "decision":
      return { kind, ...either(sent, "type", "option") };
  }
}

function text(sent: Sent, field: string): string {
  const value = sent[field];
  if (typeof value !== "string" || value === "" || value.length > MAX_TEXT_LENGTH)
    throw new ConditionError(`${field} must be a string`);
  return value;
}

function choice<const T extends string>(sent: Sent, field: string, values: readonly T[]): T | undefined {
  const value = sent[field] ?? undefined;
  if (value === undefined) return undefined;
  const found = values.find((known) => known === value);
  if (found === undefined) throw new ConditionError(`${field} ${oneOf(values)}`);
  return found;
}

/** A field that is left out if it is undefined. */
const optional = <Name extends string, T>(name: Name, value: T | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: T };

const missingOf = (sent: Sent) => optional("missing", choice(sent, "missing", MISSING_RULES));

function comparison(sent: Sent): {
  op: (typeof CONDITION_OPS)[number];
  value: ConditionValue | ConditionValue[];
} {
  const op = choice(sent, "op", CONDITION_OPS);
  if (op === undefined) throw new ConditionError(`op ${oneOf(CONDITION_OPS)}`);
  const { value } = sent;
  if (op === "below" || op === "above") {
    if (typeof value !== "number" || !Number.isFinite(value))
      throw new ConditionError("value must be a number");
    return { op, value };
  }
  if (op === "is") return { op, value: scalar(value) };
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_CONDITION_VALUES)
    throw new ConditionError(`value must have 1 to ${MAX_CONDITION_VALUES} items`);
  return { op, value: value.map(scalar) };
}

function scalar(value: unknown): ConditionValue {
  const isText = typeof value === "string" && value.length <= MAX_TEXT_LENGTH;
  if (isText || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)))
    return value;
  throw new ConditionError("value must be a number, boolean or string");
}

function fromZero(sent: Sent, field: string): number {
  const value = sent[field];
  if (typeof value !== "number" || !(value >= 0) || !Number.isFinite(value))
    throw new ConditionError(`${field} ${FROM_0}`);
  return value;
}

function either<A extends string, B extends string>(sent: Sent, a: A, b: B) {
  const found = { ...optional(a, optionalText(sent, a)), ...optional(b, optionalText(sent, b)) };
  if (Object.keys(found).length === 0) throw new ConditionError(`${a} or ${b} must be given`);
  return found;
}

const optionalText = (sent: Sent, field: string) =>
  (sent[field] ?? undefined) === undefined ? undefined : text(sent, field);
