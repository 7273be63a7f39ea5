import { parsed } from "../decode/attribute-value.ts";
import type { OtlpValue } from "../decode/otlp-span.ts";
import { shortName } from "../decode/short-name.ts";

/** Tags come as an array, as JSON text of one, or as a list with commas. */
export function readTags(value: OtlpValue): string[] | undefined {
  const list = parsed(value);
  const tags = (Array.isArray(list) ? list : typeof list === "string" ? list.split(",") : [])
    .filter((tag) => typeof tag === "string")
    .map((tag) => shortName(tag.trim()))
    .filter((tag) => tag !== "");
  return tags.length > 0 ? [...new Set(tags)] : undefined;
}
