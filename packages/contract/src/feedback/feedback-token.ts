import { isStorable, MAX_ID_BYTES } from "../traces/parse-field.ts";
import { fromBase64url, toBase64url } from "./base64url.ts";
import { hmacSha256 } from "./hmac-sha256.ts";
import { sha256 } from "./sha256.ts";

/*
 * A feedback token lets its holder set one score of one name on one trace. It is signed with a secret that follows from
 * an API key, so that the SDK mints it without a request and the server checks it without having stored it:
 *
 *   secret = HMAC-SHA256(key = SHA-256(API key), "whytrace feedback v1")
 *   body   = version u8 | max u8 | expiry u32 | first 8 bytes of SHA-256(secret) | author length u8, author
 *            | name length u8, name | trace id
 *   token  = "wf_" + base64url(body | first 16 bytes of HMAC-SHA256(secret, body))
 *
 * Numbers are big-endian, texts are UTF-8.
 */

const PREFIX = "wf_";
const PURPOSE = "whytrace feedback v1";
const VERSION = 1;
const REF_AT = 6;
const REF_BYTES = 8;
const TEXTS_AT = REF_AT + REF_BYTES;
const SIGNATURE_BYTES = 16;
/** More is no token, and is not decoded. */
const MAX_TOKEN_LENGTH = 2_048;

/** The largest number that a token can allow. */
export const MAX_FEEDBACK_VALUE = 100;
export const MAX_FEEDBACK_AUTHOR_BYTES = 64;
export const MAX_SCORE_NAME_BYTES = 200;
export const FEEDBACK_TOKEN_SECONDS = { default: 7 * 86_400, max: 30 * 86_400 };

export interface FeedbackToken {
  traceId: string;
  /** Of the score. */
  name: string;
  /** The holder sets a number from 0 to this; 0: true or false. */
  max: number;
  /** Who gives the score; empty if nobody in particular. */
  author: string;
  /** Seconds since 1970. */
  expiresAtSeconds: number;
}

interface ReadFeedbackToken extends FeedbackToken {
  /** Identifies the API key. */
  ref: Uint8Array;
  body: Uint8Array;
  signature: Uint8Array;
}

/** The secret of an API key, of which the SHA-256 is given. */
export const feedbackSecret = (keyHash: Uint8Array): Uint8Array => hmacSha256(keyHash, encode(PURPOSE));

/** Identifies the secret in a token and says nothing about it. */
export const feedbackRef = (secret: Uint8Array): Uint8Array => sha256(secret).subarray(0, REF_BYTES);

/** The fields must be within the limits above. */
export function mintFeedbackToken(secret: Uint8Array, token: FeedbackToken): string {
  const [author, name, traceId] = [encode(token.author), encode(token.name), encode(token.traceId)];
  const head = new DataView(new ArrayBuffer(REF_AT));
  head.setUint8(0, VERSION);
  head.setUint8(1, token.max);
  head.setUint32(2, token.expiresAtSeconds);
  const body = Uint8Array.from([
    ...new Uint8Array(head.buffer),
    ...feedbackRef(secret),
    author.length,
    ...author,
    name.length,
    ...name,
    ...traceId,
  ]);
  return PREFIX + toBase64url(Uint8Array.from([...body, ...sign(secret, body)]));
}

/** Reads what a token says, which is true only if it is signed. Returns undefined if it is no token. */
export function readFeedbackToken(text: string): ReadFeedbackToken | undefined {
  if (!text.startsWith(PREFIX) || text.length > MAX_TOKEN_LENGTH) return undefined;
  const bytes = fromBase64url(text.slice(PREFIX.length));
  if (!bytes || bytes.length < TEXTS_AT + SIGNATURE_BYTES) return undefined;
  const body = bytes.subarray(0, -SIGNATURE_BYTES);
  const head = new DataView(body.buffer, body.byteOffset, TEXTS_AT);
  const author = lengthPrefixed(body, TEXTS_AT);
  const name = author && lengthPrefixed(body, author.end);
  const traceId = name && decode(body.subarray(name.end));
  const max = head.getUint8(1);
  if (head.getUint8(0) !== VERSION || max > MAX_FEEDBACK_VALUE) return undefined;
  if (!author || author.bytes > MAX_FEEDBACK_AUTHOR_BYTES) return undefined;
  if (!name?.text || name.bytes > MAX_SCORE_NAME_BYTES) return undefined;
  if (!traceId || body.length - name.end > MAX_ID_BYTES) return undefined;
  return {
    traceId,
    name: name.text,
    max,
    author: author.text,
    expiresAtSeconds: head.getUint32(2),
    ref: body.subarray(REF_AT, TEXTS_AT),
    body,
    signature: bytes.subarray(-SIGNATURE_BYTES),
  };
}

/** Compares all bytes, so that the time does not tell how many of a forged signature are right. */
export function isSignedWith(secret: Uint8Array, { body, signature }: ReadFeedbackToken): boolean {
  let difference = signature.length ^ SIGNATURE_BYTES;
  for (const [index, byte] of sign(secret, body).entries()) difference |= byte ^ (signature[index] ?? 0);
  return difference === 0;
}

const sign = (secret: Uint8Array, body: Uint8Array) => hmacSha256(secret, body).subarray(0, SIGNATURE_BYTES);

const encode = (text: string) => new TextEncoder().encode(text);

/** Returns undefined for what the database cannot store and for bytes that are not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return isStorable(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

function lengthPrefixed(body: Uint8Array, at: number) {
  const bytes = body[at] ?? 0;
  const end = at + 1 + bytes;
  const text = end > body.length ? undefined : decode(body.subarray(at + 1, end));
  return text === undefined ? undefined : { text, bytes, end };
}
