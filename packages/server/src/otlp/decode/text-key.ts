import { hash } from "node:crypto";

const MAX_LENGTH = 1_024;

/**
 * A key of a Map or Set that stands for a text. V8 hashes strings over 16,383 characters by their length alone, so that a
 * Map with many long keys of one length takes quadratic time.
 */
export const textKey = (text: string): string =>
  text.length > MAX_LENGTH ? hash("sha256", text, "base64") : text;
