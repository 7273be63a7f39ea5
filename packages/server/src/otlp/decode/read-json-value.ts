import { FieldError, within } from "./field-error.ts";
import {
  asObject,
  field,
  forEachObject,
  integerOf,
  type JsonObject,
  listField,
  textField,
} from "./json-fields.ts";
import { MAX_VALUE_DEPTH } from "./otlp-limits.ts";
import type { OtlpScope, OtlpValue } from "./otlp-span.ts";
import { doubleValue, setKey } from "./otlp-values.ts";
import { shortName } from "./short-name.ts";

/** Reads a list of KeyValues. Of two values of one key the last counts. */
export function readAttributes(owner: JsonObject): Map<string, OtlpValue> {
  const attributes = new Map<string, OtlpValue>();
  forEachObject(owner, "attributes", (pair) => {
    attributes.set(shortName(textField(pair, "key")), valueField(pair, "value", 1));
  });
  return attributes;
}

export function valueField(owner: JsonObject, name: string, depth: number): OtlpValue {
  const value = field(owner, name) ?? null;
  if (value === null) return null;
  return within(name, () => readValue(asObject(value), depth));
}

/** Reads an InstrumentationScope. */
export const readScope = (scope: JsonObject): OtlpScope => ({
  name: textField(scope, "name"),
  version: textField(scope, "version"),
});

/** Reads an AnyValue. Of several fields, of which a sender should set one, the last counts. */
function readValue(any: JsonObject, depth: number): OtlpValue {
  if (depth > MAX_VALUE_DEPTH) throw new FieldError("", `at most ${MAX_VALUE_DEPTH} levels deep`);
  let result: OtlpValue = null;
  for (const name of Object.keys(any)) {
    const value = any[name];
    if (value !== null) result = readOneOf(name, value, depth, result);
  }
  return result;
}

function readOneOf(name: string, value: unknown, depth: number, otherwise: OtlpValue): OtlpValue {
  switch (name) {
    case "stringValue":
    case "string_value":
    case "bytesValue":
    case "bytes_value":
      if (typeof value === "string") return value;
      throw new FieldError(name, "a string");
    case "boolValue":
    case "bool_value":
      if (typeof value === "boolean") return value;
      throw new FieldError(name, "true or false");
    case "intValue":
    case "int_value":
      return integerOf(value, name);
    case "doubleValue":
    case "double_value":
      return doubleOf(value, name);
    case "arrayValue":
    case "array_value":
      return within(name, () => readArray(asObject(value), depth));
    case "kvlistValue":
    case "kvlist_value":
      return within(name, () => readMap(asObject(value), depth));
    default:
      return otherwise;
  }
}

function doubleOf(value: unknown, name: string): OtlpValue {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || (Number.isNaN(number) && value !== "NaN"))
    throw new FieldError(name, 'a number, "NaN", "Infinity" or "-Infinity"');
  return doubleValue(number);
}

function readArray(array: JsonObject, depth: number): OtlpValue[] {
  const values = listField(array, "values");
  return values.map((value, index) =>
    value === null ? null : within(`values[${index}]`, () => readValue(asObject(value), depth + 1)),
  );
}

function readMap(list: JsonObject, depth: number): OtlpValue {
  const map: { [key: string]: OtlpValue } = {};
  forEachObject(list, "values", (pair) => {
    setKey(map, textField(pair, "key"), valueField(pair, "value", depth + 1));
  });
  return map;
}
