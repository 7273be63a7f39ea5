import {
  MAX_METADATA_KEY_LENGTH,
  MAX_METADATA_PAIRS,
  MAX_METADATA_VALUE_LENGTH,
  storable,
} from "@whytrace/contract";
import { payloadBytes } from "../../payloads/payload-bytes.ts";

/* The top-level values of a trace's metadata by which traces can be found: texts, numbers, true, false and null. */

/** Larger metadata is not read: parsing takes time from every request. */
export const MAX_METADATA_BYTES = 32 * 1024;

/** Between key and value. A key that contains it is left out. */
const SEPARATOR = "\u001f";

/** A key and its value as one text. Numbers are written as JavaScript prints them. */
export const metadataPair = (key: string, value: string) => `${key}${SEPARATOR}${value}`;

export function splitMetadataPair(pair: string): { key: string; value: string } {
  const at = pair.indexOf(SEPARATOR);
  return { key: pair.slice(0, at), value: pair.slice(at + 1) };
}

/** The first pairs of a trace's metadata, which is JSON as bytes or a value. Null if there are none. */
export function metadataPairs(metadata: unknown): string[] | null {
  const bytes = metadata instanceof Uint8Array ? metadata : payloadBytes(metadata);
  if (bytes === null || bytes.length > MAX_METADATA_BYTES) return null;
  const parsed: unknown = JSON.parse(Buffer.from(bytes).toString());
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return null;
  return pairsOfEntries(Object.entries(parsed));
}

/** The first of these values by which a trace can be found. Null if there are none. */
export function pairsOfEntries(
  entries: readonly (readonly [key: string, value: unknown])[],
): string[] | null {
  const pairs = entries
    .filter(([key, value]) => isShort(key, MAX_METADATA_KEY_LENGTH) && isScalar(value))
    .map(([key, value]) => [key, String(value)] as const)
    .filter(([key, value]) => !key.includes(SEPARATOR) && isShort(value, MAX_METADATA_VALUE_LENGTH))
    .slice(0, MAX_METADATA_PAIRS)
    .map(([key, value]) => storable(metadataPair(key, value)));
  return pairs.length > 0 ? pairs : null;
}

const isShort = (text: string, maxLength: number) => text.length > 0 && text.length <= maxLength;

const isScalar = (value: unknown) => typeof value !== "object" || value === null;
