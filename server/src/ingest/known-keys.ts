/*
 * Which of a few known keys stands in a body at some place: found by its length and first byte and then compared byte
 * for byte, so that no string is made of it. A body has hundreds of keys a trace, and they are always the same ones.
 */
export interface KnownKey<T> {
  name: string;
  bytes: Uint8Array;
  value: T;
}

const SLOTS = 1_024;

export class KnownKeys<T> {
  readonly #slots: (KnownKey<T>[] | undefined)[] = Array.from({ length: SLOTS });
  readonly #byName: ReadonlyMap<string, T>;

  constructor(values: ReadonlyMap<string, T>) {
    this.#byName = values;
    for (const [name, value] of values) {
      const bytes = new TextEncoder().encode(name);
      const slot = slotOf(bytes.length, bytes[0] ?? 0);
      const keys = this.#slots[slot] ?? [];
      this.#slots[slot] = keys;
      keys.push({ name, bytes, value });
    }
  }

  /** The key whose bytes lie between these two places. */
  find(body: Uint8Array, start: number, end: number): KnownKey<T> | undefined {
    const candidates = this.#slots[slotOf(end - start, end > start ? (body[start] ?? 0) : 0)];
    if (candidates === undefined) return undefined;
    for (const key of candidates) if (isAt(key.bytes, body, start, end)) return key;
    return undefined;
  }

  /** For a key that was written with escapes. */
  named(name: string): KnownKey<T> | undefined {
    const value = this.#byName.get(name);
    return value === undefined ? undefined : { name, bytes: new Uint8Array(), value };
  }
}

const slotOf = (length: number, first: number) => ((length << 5) ^ first) & (SLOTS - 1);

function isAt(key: Uint8Array, body: Uint8Array, start: number, end: number): boolean {
  if (key.length !== end - start) return false;
  for (let index = 0; index < key.length; index += 1) if (key[index] !== body[start + index]) return false;
  return true;
}
