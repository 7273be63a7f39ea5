import { RawJson } from "@whytrace/contract";
import type { OtlpValue } from "./otlp-span.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** As deep as the JSON of a posted trace may be. */
const MAX_DEPTH = 256;

export const asObject = (value: unknown): JsonObject | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

export function asText(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "number" ? String(value) : undefined;
}

/** A count or an amount. Some instrumentations send numbers as text. */
export function asNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** The value of an attribute, parsed if it is the text of a JSON object or array. Truncated JSON stays text. */
export function parsed(value: unknown): unknown {
  return typeof value === "string" ? (parseJson(value) ?? value) : value;
}

/** The JSON object or array that a text holds; undefined for any other text. */
export function parseJson(text: string): object | undefined {
  if (!mayBeJson(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !isDeep(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function parseJsonObject(value: unknown): JsonObject | undefined {
  return asObject(parsed(value));
}

/** Whether a text starts and ends as JSON objects and arrays do: truncated JSON does not end so. */
function mayBeJson(text: string): boolean {
  const first = text.trimStart().charCodeAt(0);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return false;
  const trimmed = text.trimEnd();
  const last = trimmed.charCodeAt(trimmed.length - 1);
  return last === (first === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET);
}
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

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
  if (typeof value === "string" && parseJson(value)) return value;
  return JSON.stringify(value) ?? "null";
}

/** A payload to be stored, from its JSON. */
export function rawJson(text: string): RawJson {
  const bytes = Buffer.from(text);
  return new RawJson(bytes, 0, bytes.length);
}

export const isEmpty = (value: OtlpValue | undefined) =>
  value === undefined || value === null || value === "";
