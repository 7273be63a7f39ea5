const encoder = new TextEncoder();
const native = (globalThis as { Buffer?: { byteLength?(text: string): number } }).Buffer;

export const byteLength = (text: string): number => native?.byteLength?.(text) ?? encoder.encode(text).length;

/** Never splits a character. The result is a copy, so that it does not keep the original string in memory. */
export function truncateUtf8(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const limit = Math.max(0, maxBytes);
  const bytes = encoder.encode(text.slice(0, limit)).subarray(0, limit);
  return new TextDecoder().decode(bytes).replace(/\uFFFD+$/, "");
}
