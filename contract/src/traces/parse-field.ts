import { invalid } from "./batch-error.ts";
import type { FieldType } from "./fields.ts";
import { parseInstant } from "./parse-instant.ts";
import { RawJson } from "./raw-json.ts";

/** Of ids, sessionId and references to ids. */
export const ID_MAX_BYTES = 1_024;
export const NAME_MAX_BYTES = 16 * 1_024;
export const TAG_MAX_BYTES = 1_024;
export const TAGS_MAX = 1_000;
const PRINTED_MAX_LENGTH = 100;

/** A field of a record, as error texts name it. */
export interface FieldName {
  label: string;
  name: string;
}

/**
 * Reads a field that must be there. Undefined means that the specification's check failed; `requiredText` is then the
 * error. What we check beyond the specification comes later, in `parseField`.
 */
export function readRequired(type: FieldType | readonly string[], value: unknown): unknown {
  if (typeof type !== "string") return type.find((one) => one === value);
  if (type === "instant") return typeof value === "string" ? parseInstant(value) : undefined;
  if (type === "tags") return Array.isArray(value) ? value : undefined;
  if (type === "jsonArray") return isJsonArray(value) ? value : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The specification's words for a required field that is missing or wrong. */
export function requiredText(
  type: FieldType | readonly string[],
  { label, name }: FieldName,
  value: string,
): string {
  if (typeof type !== "string") return `Invalid ${label} ${name}: ${value}`;
  if (type === "tags" || type === "jsonArray")
    return `${label.charAt(0).toUpperCase()}${label.slice(1)} ${name} must be an array`;
  return `Each ${label} must have a valid '${name}' (${type === "instant" ? "ISO date string" : "string"})`;
}

/** A field's value as it is stored. A required field comes here as `readRequired` returned it. */
export function parseField(type: FieldType | readonly string[], value: unknown, field: FieldName): unknown {
  switch (type) {
    case "id":
      return boundedId(String(value), field);
    case "name":
      return boundedName(String(value), field);
    case "tags":
      return boundedTags(Array.isArray(value) ? value : []);
    case "reference":
    case "text":
      if (value === undefined || value === null) return null;
      if (typeof value !== "string") throw invalidField(field, "must be a string or null");
      return type === "text" ? storable(value) : boundedId(value, field);
    case "number":
      if (value === undefined || value === null) return null;
      if (typeof value === "number" && Number.isFinite(value)) return value;
      throw invalidField(field, "must be a finite number that a double can hold, or null");
    case "optionalInstant": {
      if (value === undefined || value === null) return null;
      const instant = readRequired("instant", value);
      if (instant === undefined) throw invalidField(field, "must be an ISO date string or null");
      return instant;
    }
    default:
      return value ?? null;
  }
}

const invalidField = ({ label, name }: FieldName, problem: string) =>
  invalid(`Invalid ${label} ${name}: ${problem}`);

const isJsonArray = (value: unknown) =>
  Array.isArray(value) || (value instanceof RawJson && value.bytes[0] === 0x5b);

/** An id identifies something, so it is stored exactly or refused. */
function boundedId(id: string, field: FieldName): string {
  if (isLonger(id, ID_MAX_BYTES)) throw invalidField(field, `must have at most ${ID_MAX_BYTES} bytes`);
  if (!isStorable(id)) throw invalidField(field, "must not contain NUL or a lone surrogate");
  return id;
}

function boundedName(name: string, field: FieldName): string {
  if (isLonger(name, NAME_MAX_BYTES)) throw invalidField(field, `must have at most ${NAME_MAX_BYTES} bytes`);
  return storable(name);
}

function boundedTags(tags: unknown[]): string[] {
  if (tags.length > TAGS_MAX) throw invalid(`Invalid trace tags: must be at most ${TAGS_MAX}`);
  return tags.map((tag) => {
    if (typeof tag !== "string") throw invalid("Invalid trace tags: each must be a string");
    if (isLonger(tag, TAG_MAX_BYTES))
      throw invalid(`Invalid trace tags: each must have at most ${TAG_MAX_BYTES} bytes`);
    return storable(tag);
  });
}

/** PostgreSQL's text can hold neither NUL nor half of a surrogate pair. */
const isStorable = (value: string) => value.isWellFormed() && !value.includes("\0");
const storable = (value: string) =>
  isStorable(value) ? value : value.toWellFormed().replaceAll("\0", "\uFFFD");

const encoder = new TextEncoder();
/** A UTF-16 unit takes one to three bytes in UTF-8, so few strings have to be encoded to be measured. */
const isLonger = (value: string, maxBytes: number) =>
  value.length > maxBytes || (value.length * 3 > maxBytes && encoder.encode(value).length > maxBytes);

/** A value as JavaScript prints it, truncated, whatever it is and however large. */
export function printed(value: unknown): string {
  if (Array.isArray(value)) return printedArray(value);
  try {
    return String(value).slice(0, PRINTED_MAX_LENGTH);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

function printedArray(items: unknown[]): string {
  let text = "";
  for (const [index, item] of items.entries()) {
    text += (index > 0 ? "," : "") + (item === null ? "" : printed(item));
    if (text.length >= PRINTED_MAX_LENGTH) break;
  }
  return text.slice(0, PRINTED_MAX_LENGTH);
}
