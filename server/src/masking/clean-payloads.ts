const QUOTE = 0x22;
const MIN_BYTES = 512;
const FIRST_COMPARED = 4_096;
const BEGINNING_BYTES = 24;
const MAX_MISSES = 3;

/**
 * Payloads of a trace in which nothing is to be masked. Each call of a model carries the conversation so far, so a payload often
 * begins like the one before it, and only the rest has to be looked at.
 */
export class CleanPayloads {
  /** The last one of each field, by how it begins. */
  readonly #last = new Map<string, Buffer>();
  #misses = 0;

  /** How many of the first bytes need not be looked at. They end at a quote, so that no match crosses the end. */
  knownBytes(field: string, bytes: Buffer): number {
    if (bytes.length < MIN_BYTES || this.#misses >= MAX_MISSES) return 0;
    const before = this.#last.get(keyOf(field, bytes));
    if (!before) return 0;
    const common = commonBytes(before, bytes);
    if (common < MIN_BYTES) {
      this.#misses += 1;
      return 0;
    }
    // The name of a key is decided by what follows its closing quote, so the last but one is safe.
    const last = bytes.lastIndexOf(QUOTE, common - 1);
    return last <= 0 ? 0 : Math.max(0, bytes.lastIndexOf(QUOTE, last - 1));
  }

  add(field: string, bytes: Buffer) {
    if (bytes.length >= MIN_BYTES && this.#misses < MAX_MISSES) this.#last.set(keyOf(field, bytes), bytes);
  }
}

const keyOf = (field: string, bytes: Buffer) => `${field} ${bytes.toString("latin1", 0, BEGINNING_BYTES)}`;

/** At most the bytes that two payloads have in common at their beginning, compared natively in growing steps. */
function commonBytes(a: Buffer, b: Buffer): number {
  const length = Math.min(a.length, b.length);
  let common = 0;
  for (let step = FIRST_COMPARED; common < length; step *= 2) {
    const end = Math.min(length, common + step);
    if (a.compare(b, common, end, common, end) === 0) {
      common = end;
      continue;
    }
    // They differ in this step: on with the half of it that they differ in.
    let limit = end;
    while (limit - common > 64) {
      const middle = (common + limit) >> 1;
      if (a.compare(b, common, middle, common, middle) === 0) common = middle;
      else limit = middle;
    }
    for (let at = common; at < end; at += 1) if (a[at] !== b[at]) return at;
  }
  return common;
}
