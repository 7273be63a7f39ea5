import { isInsideEscape } from "./is-inside-escape.ts";
import type { FieldMatch, FieldRange } from "./match-fields.ts";

export interface Excerpt {
  before: string;
  match: string;
  after: string;
}

const CONTEXT_CHARACTERS = 60;
/** A character is at most a surrogate pair of two escapes. */
const MAX_CHARACTER_BYTES = 12;
const CONTEXT_BYTES = CONTEXT_CHARACTERS * MAX_CHARACTER_BYTES;

/** The match and the text around it, as it reads: with the escapes of JSON decoded, and never beyond the field. */
export function excerptOf(
  bytes: Buffer,
  { field, start, end }: FieldMatch<FieldRange>,
  format: "json" | "text",
): Excerpt {
  const decode = format === "json" ? decodeEscapes : (text: string) => text;
  const read = (from: number, to: number) => decode(bytes.toString("utf8", from, to));
  // Both ends may lie within a character, so they are read with a margin that is then left out.
  let first = Math.max(field.start, start - CONTEXT_BYTES - MAX_CHARACTER_BYTES);
  while (format === "json" && isInsideEscape(bytes, field.start, first)) first += 1;
  const before = read(first, start);
  const after = read(end, Math.min(field.end, end + CONTEXT_BYTES + MAX_CHARACTER_BYTES));
  return {
    before: Array.from(before).slice(-CONTEXT_CHARACTERS).join("").toWellFormed(),
    match: read(start, end).toWellFormed(),
    after: Array.from(after).slice(0, CONTEXT_CHARACTERS).join("").toWellFormed(),
  };
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

const decodeEscapes = (json: string) =>
  json.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, digits?: string, character = "") =>
    digits === undefined
      ? (SHORT_ESCAPES[character] ?? character)
      : String.fromCharCode(Number.parseInt(digits, 16)),
  );
