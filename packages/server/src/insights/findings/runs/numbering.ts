/** Numbers keys from 0 in the order in which they come. */
export class Numbering<K> {
  readonly #numbers = new Map<K, number>();

  get size(): number {
    return this.#numbers.size;
  }

  of(key: K): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }
}
