import { createHash } from "node:crypto";

const hash = (text: string, length: number) =>
  createHash("sha256").update(text).digest("hex").slice(0, length);

/** An id of a trace, 32 hexadecimal digits: a UUID without its hyphens, else derived. The same text has always the same id. */
export function traceIdOf(text: string): string {
  const plain = text.replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(plain) ? plain : hash(text, 32);
}

/** An id of a span, 16 hexadecimal digits. */
export const spanIdOf = (text: string): string => (/^[0-9a-f]{16}$/.test(text) ? text : hash(text, 16));
