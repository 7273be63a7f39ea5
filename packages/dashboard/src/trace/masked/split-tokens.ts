export interface MaskedToken {
  token: string;
  /** What was there: a type such as `email`, or the name of a rule. */
  type: string;
  /** The same for equal values; empty if the token does not tell them apart. */
  hash: string;
}

const MAX_TOKENS = 1_000;
const TOKEN =
  /\[(?:([\w-]{1,32}):([\da-f]{16})|(email|phone|card|iban|ip|secret|masked(?:: not checked)?))\]/g;

/** A text, split at the tokens that stand for masked values. */
export function splitTokens(text: string): (string | MaskedToken)[] {
  if (!text.includes("[")) return [text];
  const parts: (string | MaskedToken)[] = [];
  let end = 0;
  for (const { 0: token, 1: word, 2: hash = "", 3: plain = "", index } of text.matchAll(TOKEN)) {
    if (parts.length >= 2 * MAX_TOKENS) break;
    if (index > end) parts.push(text.slice(end, index));
    parts.push({ token, type: word ?? plain, hash });
    end = index + token.length;
  }
  if (end < text.length || parts.length === 0) parts.push(text.slice(end));
  return parts;
}
