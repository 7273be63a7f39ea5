import type { MaskingField } from "@whytrace/contract/schemas/masking/settings";
import { ATTRIBUTE_RULES, FLATTENED_LISTS } from "./conventions/conventions.ts";
import type { Slot } from "./conventions/slots.ts";
import { parsed } from "./decode/attribute-value.ts";
import type { OtlpValue } from "./decode/otlp-span.ts";

/** The fields that slots become. What is not listed are ids, types, numbers and names of models. */
const SLOT_FIELDS: Readonly<Partial<Record<Slot, MaskingField>>> = {
  traceName: "names",
  agentName: "names",
  workflowName: "names",
  toolName: "names",
  session: "session",
  tags: "tags",
  offered: "input",
  input: "input",
  system: "input",
  decisionState: "input",
  decisionQuestions: "input",
  output: "output",
  text: "output",
  toolCalls: "output",
  decisionAnswers: "output",
  reasoning: "reasoning",
  errorType: "errors",
  errorMessage: "errors",
};

/** Where the value of an attribute will be stored. */
export interface AttributeField {
  field: MaskingField;
  /** The path of the value in the field, if it is not the whole field. */
  path?: string;
}

/** Names of models and ids, which are never masked, whatever they are. */
const UNMASKED_SLOTS: ReadonlySet<Slot> = new Set(["responseModel", "requestModel", "bareModel", "callId"]);

/**
 * The field that an attribute is mapped to; null if it is never masked. What nothing maps becomes metadata. So does what should be a type
 * or a number and is something else, such as the text of a query that says that a span is one of a database.
 */
export function attributeField(key: string, value: OtlpValue): AttributeField | null {
  const rule = ATTRIBUTE_RULES.get(key);
  if (rule) {
    const field = SLOT_FIELDS[rule.slot];
    if (field) return { field };
    return UNMASKED_SLOTS.has(rule.slot) || isTypeOrNumber(value) ? null : { field: "metadata", path: key };
  }
  const list = FLATTENED_LISTS.find(({ prefix }) => key.startsWith(prefix));
  if (list)
    return { field: list.slot === "output" ? "output" : "input", path: key.slice(list.prefix.length) };
  return { field: "metadata", path: key };
}

/** Letters only, so neither a key of a vendor nor a number that names a person. */
const WORD = /^[A-Za-z][A-Za-z_-]{0,31}$/;
/** Shorter than a card's. */
const NUMBER = /^-?[\d.]{1,12}$/;
const MAX_JSON_LENGTH = 4_096;

/** A number, one or several words, or an object of numbers, which may be written as JSON. */
function isTypeOrNumber(value: OtlpValue): boolean {
  if (typeof value !== "string") return isTypeOrNumberItself(value);
  if (WORD.test(value) || NUMBER.test(value)) return true;
  return value.length <= MAX_JSON_LENGTH && isTypeOrNumberItself(parsed(value));
}

function isTypeOrNumberItself(value: unknown): boolean {
  if (typeof value === "number") return Math.abs(value) < 1e12;
  if (typeof value === "boolean" || value === null) return true;
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return value.every((item) => typeof item === "string" && WORD.test(item));
  return Object.entries(value).every(([key, item]) => WORD.test(key) && typeof item === "number");
}
