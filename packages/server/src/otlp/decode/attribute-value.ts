import { RawJson } from "@whytrace/contract";
import { hasLongKey } from "../../masking/json/has-long-key.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** As deep as the JSON of a posted trace may be. */
const MAX_DEPTH = 256;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const asObject = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined);

export function asText(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "number" ? String(value) : undefined;
}

/** A count or an amount. Some instrumentations send numbers as text. */
export function asNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** A number above 0 and at most 1. */
export function asProbability(value: unknown): number | undefined {
  const number = asNumber(value) ?? 0;
  return number > 0 && number <= 1 ? number : undefined;
}

/** The value of an attribute, parsed if it is the text of a JSON object or array. Truncated JSON stays text. */
export function parsed(value: unknown): unknown {
  return typeof value === "string" ? (parseJson(value) ?? value) : value;
}

/** The JSON object or array that a text holds; undefined for any other text. */
export function parseJson(text: string): object | undefined {
  if (!mayBeJson(text) || hasLongKey(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    return mayBeDeep(text) && isDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

export function parseJsonObject(value: unknown): JsonObject | undefined {
  return asObject(parsed(value));
}

const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const SPACE = 0x20;

/** Whether a text starts and ends as JSON objects and arrays do: truncated JSON does not end so. */
function mayBeJson(text: string): boolean {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  if (first <= SPACE || last <= SPACE) {
    const trimmed = text.trim();
    return trimmed.length < text.length && mayBeJson(trimmed);
  }
  return first === OPEN_BRACE ? last === CLOSE_BRACE : first === OPEN_BRACKET && last === CLOSE_BRACKET;
}

/** Whether a text has as many brackets as deep JSON needs. */
function mayBeDeep(text: string): boolean {
  if (text.length < 2 * MAX_DEPTH) return false;
  let count = 0;
  for (const bracket of "[{")
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++count > MAX_DEPTH) return true;
  return false;
}

function isDeep(value: object): boolean {
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    const next: object[] = [];
    for (const container of level)
      for (const item of Object.values(container))
        if (typeof item === "object" && item !== null) next.push(item);
    level = next;
  }
  return false;
}

/** The JSON of an attribute's value, to be stored. Text that holds JSON becomes that JSON, byte by byte. */
export function jsonText(value: unknown): string {
  if (typeof value === "string") return parseJson(value) ? value : JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return JSON.stringify(value) ?? "null";
}

/** A payload to be stored, from its JSON. */
export function rawJson(text: string): RawJson {
  const bytes = Buffer.from(text);
  return new RawJson(bytes, 0, bytes.length);
}
