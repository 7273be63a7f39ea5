import { FieldError } from "./field-error.ts";

/*
 * Reads fields of OTLP/JSON, which is the JSON encoding of protobuf with two differences: ids are hexadecimal, and enums
 * are numbers. Names are lowerCamelCase; the names of the protobuf files, in snake_case, are accepted too. A field that
 * is missing or null has its default.
 */

export type JsonObject = { readonly [name: string]: unknown };

const MAX_TIME_DIGITS = 20;
const NS_PER_MS = 1_000_000;
const TIME = new RegExp(`^\\d{1,${MAX_TIME_DIGITS}}$`);
const INTEGER = /^-?\d{1,20}$/;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const snakeNames = new Map<string, string>();

export function field(object: JsonObject, name: string): unknown {
  const value = object[name];
  if (value !== undefined) return value;
  let snake = snakeNames.get(name);
  if (snake === undefined) {
    snake = snakeCase(name);
    snakeNames.set(name, snake);
  }
  return object[snake];
}

export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The path of an error about the value itself is empty. */
export function asObject(value: unknown): JsonObject {
  if (isObject(value)) return value;
  throw new FieldError("", "an object");
}

const NO_FIELDS: JsonObject = {};

/** An object without fields if the field is missing. */
export function objectField(object: JsonObject, name: string): JsonObject {
  const value = field(object, name) ?? NO_FIELDS;
  if (isObject(value)) return value;
  throw new FieldError(name, "an object");
}

export function listField(object: JsonObject, name: string): readonly unknown[] {
  const value = field(object, name) ?? [];
  if (Array.isArray(value)) return value;
  throw new FieldError(name, "an array");
}

/** Reads each object of a list. */
export function forEachObject(object: JsonObject, name: string, read: (item: JsonObject) => void) {
  const list = listField(object, name);
  for (let index = 0; index < list.length; index += 1)
    try {
      read(asObject(list[index]));
    } catch (error) {
      throw FieldError.inside(`${name}[${index}]`, error);
    }
}

export function textField(object: JsonObject, name: string): string {
  const value = field(object, name) ?? "";
  if (typeof value === "string") return value;
  throw new FieldError(name, "a string");
}

/** An id is text of any kind here: an invalid one rejects its span, not the request. */
export function idField(object: JsonObject, name: string): string {
  const value = field(object, name);
  return typeof value === "string" ? value : "";
}

/** An integer: a number, or its digits if a number would change it. */
export function integerOf(value: unknown, name: string): number | string {
  const isDigits = typeof value === "string" && INTEGER.test(value);
  if (!isDigits && !(typeof value === "number" && Number.isFinite(value)))
    throw new FieldError(name, "an integer, as a number or as digits");
  const number = Number(value) + 0;
  return Number.isSafeInteger(number) || !Number.isInteger(number) ? number : String(BigInt(value));
}

export function countField(object: JsonObject, name: string): number {
  const count = Number(integerOf(field(object, name) ?? 0, name));
  if (count >= 0) return count;
  throw new FieldError(name, "0 or more");
}

/** Nanoseconds, as milliseconds with their fraction. Whole milliseconds are exact. */
export function timeField(object: JsonObject, name: string): number {
  const value = field(object, name) ?? 0;
  if (typeof value === "string" && TIME.test(value))
    return Number(value.slice(0, -6)) + Number(value.slice(-6)) / NS_PER_MS;
  // Today's nanoseconds need more digits than a number has. Rounding to microseconds restores whole milliseconds.
  if (typeof value === "number" && value >= 0 && value < 10 ** MAX_TIME_DIGITS)
    return Math.round(value / 1_000) / 1_000;
  throw new FieldError(name, "nanoseconds since 1970, as digits or as a number");
}
