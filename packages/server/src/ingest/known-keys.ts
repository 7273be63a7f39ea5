/*
 * Finds which of a few known keys a request body has at an offset, without creating a string: a hash table by length and
 * first byte, then a comparison byte by byte. A trace has hundreds of keys, but few different ones.
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

  /** Finds the key that equals the bytes from `start` to before `end`. */
  find(body: Uint8Array, start: number, end: number): KnownKey<T> | undefined {
    const candidates = this.#slots[slotOf(end - start, end > start ? (body[start] ?? 0) : 0)];
    if (candidates === undefined) return undefined;
    for (const key of candidates) if (isEqual(key.bytes, body, start, end)) return key;
    return undefined;
  }

  /** Finds a key by name, for a key that is sent with escapes. */
  findByName(name: string): KnownKey<T> | undefined {
    const value = this.#byName.get(name);
    return value === undefined ? undefined : { name, bytes: new Uint8Array(), value };
  }
}

const slotOf = (length: number, firstByte: number) => ((length << 5) ^ firstByte) & (SLOTS - 1);

function isEqual(key: Uint8Array, body: Uint8Array, start: number, end: number): boolean {
  if (key.length !== end - start) return false;
  for (let index = 0; index < key.length; index += 1) if (key[index] !== body[start + index]) return false;
  return true;
}
