import { splitMetadataPair } from "../../../trace-store/rows/metadata-pairs.ts";

/** Cannot be part of a value of metadata, nor of a tag. */
const SEPARATOR = "\u0000";

/**
 * The values of the situation keys in a run, as one text. A key is one of the metadata, else what stands before the colon of a
 * tag.
 */
export function situationOf(
  keys: readonly string[],
  metadataPairs: readonly string[],
  tags: readonly string[],
): string {
  const values = new Map<string, string>();
  for (const tag of tags) {
    const at = tag.indexOf(":");
    if (at > 0) values.set(tag.slice(0, at), tag.slice(at + 1));
  }
  for (const pair of metadataPairs) {
    const { key, value } = splitMetadataPair(pair);
    values.set(key, value);
  }
  return keys.map((key) => values.get(key) ?? SEPARATOR).join(SEPARATOR);
}
