import type { WalkedJson } from "./json/mask-json.ts";

const QUOTE = 0x22;
/** Shorter payloads are looked at each for itself. */
export const MIN_REPEATED_BYTES = 512;
const FIRST_COMPARED = 4_096;
const BEGINNING_BYTES = 24;
const MAX_MISSES = 3;
const MAX_PLACES = 64;

/** A payload, and what is known of it. */
export interface KnownPayload<Masked> extends WalkedJson {
  bytes: Buffer;
  /** Values that were masked in it, in their order. */
  masked: readonly Masked[];
  /** From here on, nothing in it can match. */
  cleanFrom: number;
}

/** The last payload in a place. */
export interface LastPayload<Masked> {
  known?: KnownPayload<Masked>;
  /** How often the next one did not begin like it. */
  misses: number;
}

/**
 * The last payloads of a trace. Each call of a model carries the conversation so far, so a payload often begins like the one before
 * it, and only the rest has to be looked at.
 */
export class RepeatedPayloads<Masked> {
  /** The last one of each place, by how it begins. */
  readonly #last = new Map<string, LastPayload<Masked>>();

  /** The one before this payload; undefined if payloads do not begin alike there. */
  last(place: string, bytes: Buffer): LastPayload<Masked> | undefined {
    const key = `${place} ${bytes.toString("latin1", 0, BEGINNING_BYTES)}`;
    let last = this.#last.get(key);
    if (!last) {
      const [oldest] = this.#last.keys();
      if (oldest !== undefined && this.#last.size >= MAX_PLACES) this.#last.delete(oldest);
      last = { misses: 0 };
      this.#last.set(key, last);
    }
    return last.misses < MAX_MISSES ? last : undefined;
  }
}

/**
 * Of bytes in common, how many are such that nothing crosses their end: they end at a quote. The name of a key is decided by what follows its
 * closing quote, so the last but one is safe.
 */
export function safeBytes(bytes: Buffer, common: number): number {
  const last = bytes.lastIndexOf(QUOTE, common - 1);
  return last <= 0 ? 0 : Math.max(0, bytes.lastIndexOf(QUOTE, last - 1));
}

/**
 * Where the part of a payload ends that differs from the last one, if both end alike. Nothing behind it can match that did not match in the
 * last one: like `safeBytes`, it is the second quote of what is in common, because a colon behind the first one may follow the name of a secret
 * that is not in common.
 */
export function differenceEnd(last: Buffer, bytes: Buffer, common: number): number {
  const suffix = commonLength(
    Math.min(last.length, bytes.length) - common,
    (start, end) =>
      last.compare(
        bytes,
        bytes.length - end,
        bytes.length - start,
        last.length - end,
        last.length - start,
      ) === 0,
  );
  const first = bytes.indexOf(QUOTE, bytes.length - suffix);
  const second = first < 0 ? -1 : bytes.indexOf(QUOTE, first + 1);
  return second < 0 ? bytes.length : second + 1;
}

/** How many bytes a payload has in common with the last one at its beginning; 0 if they are few. */
export function commonBytes<Masked>(last: LastPayload<Masked>, bytes: Buffer): number {
  const known = last.known?.bytes;
  if (!known) return 0;
  const common = commonLength(
    Math.min(known.length, bytes.length),
    (start, end) => known.compare(bytes, start, end, start, end) === 0,
  );
  if (common >= MIN_REPEATED_BYTES) {
    last.misses = 0;
    return common;
  }
  last.misses += 1;
  if (last.misses === MAX_MISSES) delete last.known;
  return 0;
}

/** Compares natively, in growing steps. */
function commonLength(length: number, isEqual: (start: number, end: number) => boolean): number {
  let common = 0;
  for (let step = FIRST_COMPARED; common < length; step *= 2) {
    let end = Math.min(length, common + step);
    if (isEqual(common, end)) {
      common = end;
      continue;
    }
    // They differ in this step: on with the half of it that they differ in.
    while (end - common > 1) {
      const middle = (common + end) >> 1;
      if (isEqual(common, middle)) common = middle;
      else end = middle;
    }
    return common;
  }
  return common;
}
