import { invalid } from "./batch-error.ts";
import type { FieldType } from "./fields.ts";
import { parseInstant } from "./parse-instant.ts";
import { IS_ARRAY } from "./raw-json.ts";

/** For ids, sessionId and references to ids. */
export const MAX_ID_BYTES = 1_024;
export const MAX_NAME_BYTES = 16 * 1_024;
export const MAX_TAG_BYTES = 1_024;
export const MAX_TAGS = 1_000;
const MAX_PRINTED_LENGTH = 100;

/** How error texts name a field. */
export interface FieldName {
  label: string;
  name: string;
}

/**
 * Returns a function that reads a required field. The function returns undefined if the specification's check fails;
 * `requiredText` is then the error. `fieldParser` makes our additional checks later.
 */
export function requiredReader(type: FieldType | readonly string[]): (value: unknown) => unknown {
  if (typeof type !== "string") {
    const values: readonly unknown[] = type;
    return (value) => (values.includes(value) ? value : undefined);
  }
  if (type === "instant") return readInstant;
  if (isArrayType(type)) return (value) => (isArray(value) ? value : undefined);
  return (value) => (typeof value === "string" && value !== "" ? value : undefined);
}

const isArrayType = (type: FieldType) => type === "tags" || type === "jsonArray";

const isArray = (value: unknown) =>
  Array.isArray(value) ||
  (typeof value === "object" && value !== null && IS_ARRAY in value && value[IS_ARRAY]);

const readInstant = (value: unknown) => (typeof value === "string" ? parseInstant(value) : undefined);

/** The specification's error text for a required field that is missing or invalid. */
export function requiredText(
  type: FieldType | readonly string[],
  { label, name }: FieldName,
  value: string,
): string {
  if (typeof type !== "string") return `Invalid ${label} ${name}: ${value}`;
  if (isArrayType(type)) return `${label.charAt(0).toUpperCase()}${label.slice(1)} ${name} must be an array`;
  return `Each ${label} must have a valid '${name}' (${type === "instant" ? "ISO date string" : "string"})`;
}

/**
 * Returns a function that checks a value other than null and returns the value to store. The value of a required field
 * is what `requiredReader` returned.
 */
export function fieldParser(
  type: FieldType | readonly string[],
  field: FieldName,
): (value: unknown) => unknown {
  switch (type) {
    case "id":
      return (value) => boundedId(String(value), field);
    case "name":
      return (value) => boundedName(String(value), field);
    case "tags":
      return (value) => boundedTags(Array.isArray(value) ? value : []);
    case "reference":
    case "text":
      return (value) => {
        if (typeof value !== "string") throw invalidField(field, "must be a string or null");
        return type === "text" ? storable(value) : boundedId(value, field);
      };
    case "number":
      return (value) => {
        if (Number.isFinite(value)) return value;
        throw invalidField(field, "must be a finite number that a double can hold, or null");
      };
    case "probability":
      return (value) => {
        if (typeof value === "number" && value > 0 && value <= 1) return value;
        throw invalidField(field, "must be a number above 0 and at most 1, or null");
      };
    case "optionalInstant":
      return (value) => {
        const instant = readInstant(value);
        if (instant === undefined) throw invalidField(field, "must be an ISO date string or null");
        return instant;
      };
    default:
      return (value) => value;
  }
}

const invalidField = ({ label, name }: FieldName, problem: string) =>
  invalid(`Invalid ${label} ${name}: ${problem}`);

/** An id is never changed: two ids could become equal. */
function boundedId(id: string, field: FieldName): string {
  refuseLonger(id, MAX_ID_BYTES, field);
  if (!isStorable(id)) throw invalidField(field, "must not contain NUL or a lone surrogate");
  return id;
}

function boundedName(name: string, field: FieldName): string {
  refuseLonger(name, MAX_NAME_BYTES, field);
  return storable(name);
}

function refuseLonger(value: string, maxBytes: number, field: FieldName) {
  if (isLonger(value, maxBytes)) throw invalidField(field, `must have at most ${maxBytes} bytes`);
}

function boundedTags(tags: unknown[]): string[] {
  if (tags.length > MAX_TAGS) throw invalid(`Invalid trace tags: must be at most ${MAX_TAGS}`);
  return tags.map((tag) => {
    if (typeof tag !== "string") throw invalid("Invalid trace tags: each must be a string");
    if (isLonger(tag, MAX_TAG_BYTES))
      throw invalid(`Invalid trace tags: each must have at most ${MAX_TAG_BYTES} bytes`);
    return storable(tag);
  });
}

/** PostgreSQL's text type can store neither NUL nor a lone surrogate. */
export const isStorable = (value: string) => value.isWellFormed() && !value.includes("\0");
/** The characters that cannot be stored are replaced. */
export const storable = (value: string) =>
  isStorable(value) ? value : value.toWellFormed().replaceAll("\0", "\uFFFD");

// The annotation lets bundlers leave the encoder out.
const encoder = /* @__PURE__ */ new TextEncoder();
/** A UTF-16 code unit takes one to three bytes in UTF-8, so only strings near the limit have to be encoded. */
export const isLonger = (value: string, maxBytes: number) =>
  value.length > maxBytes || (value.length * 3 > maxBytes && encoder.encode(value).length > maxBytes);

/** Converts a value of any type and size to text as `String` does, truncated. */
export function printed(value: unknown): string {
  if (Array.isArray(value)) return printedArray(value);
  try {
    return String(value).slice(0, MAX_PRINTED_LENGTH);
  } catch {
    // `String` throws if an object from JSON has a field named toString.
    return "[object Object]";
  }
}

function printedArray(items: unknown[]): string {
  let text = "";
  for (const [index, item] of items.entries()) {
    text += (index > 0 ? "," : "") + (item === null ? "" : printed(item));
    if (text.length >= MAX_PRINTED_LENGTH) break;
  }
  return text.slice(0, MAX_PRINTED_LENGTH);
}
