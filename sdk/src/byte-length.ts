const encoder = new TextEncoder();
const native = (globalThis as { Buffer?: { byteLength?(text: string): number } }).Buffer;

/** Of a text in UTF-8. */
export const byteLength = (text: string): number =>
  native?.byteLength ? native.byteLength(text) : encoder.encode(text).length;

/** The beginning of a text, at most so many bytes in UTF-8, and not half a character. Does not hold on to the rest. */
export function cutBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = encoder.encode(text.slice(0, Math.max(0, maxBytes))).subarray(0, Math.max(0, maxBytes));
  return new TextDecoder().decode(bytes).replace(/\uFFFD+$/, "");
}
