import { isLonger, isStorable, MAX_ID_BYTES, storable } from "@whytrace/contract";

const encoder = new TextEncoder();

/** A text as it can be stored, truncated if it is longer than `maxBytes`. */
export function storableText(value: string, maxBytes: number): string {
  const text = storable(value);
  if (!isLonger(text, maxBytes)) return text;
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(maxBytes)).read);
}

/** Whether a value can be an id, which is never changed in order to store it. */
export const isStorableId = (id: string) => id !== "" && !isLonger(id, MAX_ID_BYTES) && isStorable(id);
