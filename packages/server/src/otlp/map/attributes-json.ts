import type { RawJson } from "@whytrace/contract";
import { jsonText, rawJson } from "../decode/attribute-value.ts";

const MAX_KEYS = 10_000;
const MAX_KEY_LENGTH = 200;
const keys = new Map<string, string>();

/** The JSON of a key, with its colon. Attributes have the same few keys in all spans. */
function keyJson(key: string): string {
  const known = keys.get(key);
  if (known !== undefined) return known;
  const json = `${JSON.stringify(key)}:`;
  if (keys.size < MAX_KEYS && key.length < MAX_KEY_LENGTH) keys.set(key, json);
  return json;
}

/** The JSON of an object, without its braces. Text that holds JSON becomes that JSON. */
export function fieldsJson(attributes: Iterable<readonly [key: string, value: unknown]>): string {
  let json = "";
  for (const [key, value] of attributes) json += `${json === "" ? "" : ","}${keyJson(key)}${jsonText(value)}`;
  return json;
}

export const attributesJson = (attributes: Iterable<readonly [key: string, value: unknown]>): RawJson =>
  rawJson(`{${fieldsJson(attributes)}}`);
