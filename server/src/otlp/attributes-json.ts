import type { RawJson } from "@whytrace/contract";
import { jsonText, rawJson } from "./attribute-value.ts";
import type { OtlpValue } from "./otlp-span.ts";

/** The JSON of an object's key, with its colon. */
export const keyJson = (key: string) => `${JSON.stringify(key)}:`;

/** The JSON of an object, without its braces. Text that holds JSON becomes that JSON. */
export function fieldsJson(attributes: Iterable<readonly [key: string, value: OtlpValue]>): string {
  let json = "";
  for (const [key, value] of attributes) json += `${json === "" ? "" : ","}${keyJson(key)}${jsonText(value)}`;
  return json;
}

export const attributesJson = (attributes: Iterable<readonly [key: string, value: OtlpValue]>): RawJson =>
  rawJson(`{${fieldsJson(attributes)}}`);
