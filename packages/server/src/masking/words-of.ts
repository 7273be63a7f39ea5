const WORDS = new WeakMap<ArrayBufferLike, Int32Array>();

/** The memory that bytes are a part of, four bytes at a time. */
export function wordsOf({ buffer }: Uint8Array): Int32Array {
  let words = WORDS.get(buffer);
  if (!words) {
    words = new Int32Array(buffer, 0, buffer.byteLength >> 2);
    WORDS.set(buffer, words);
  }
  return words;
}
