import type { KeyTable } from "./key-table.ts";

const INITIAL_ROWS = 256;

/** Sums by key, a row of `width` numbers each. */
export class CountTable {
  readonly keys: KeyTable;
  readonly width: number;
  #sums: Float64Array;

  constructor(width: number, keys: KeyTable) {
    this.width = width;
    this.keys = keys;
    this.#sums = new Float64Array(INITIAL_ROWS * width);
  }

  copy(): CountTable {
    const copy = new CountTable(this.width, this.keys.copy());
    copy.#sums = this.#sums.slice();
    return copy;
  }

  get size() {
    return this.keys.size;
  }

  get byteLength(): number {
    return this.#sums.byteLength + this.keys.byteLength;
  }

  /** The row of a key; -1 if there is no room for another one. */
  row(a: number, b: number, c: number): number {
    const row = this.keys.add(a, b, c);
    if ((row + 1) * this.width > this.#sums.length) {
      const sums = new Float64Array(this.#sums.length * 2);
      sums.set(this.#sums);
      this.#sums = sums;
    }
    return row;
  }

  get(row: number, column: number): number {
    return this.#sums[row * this.width + column] ?? 0;
  }

  add(row: number, column: number, value: number) {
    const at = row * this.width + column;
    this.#sums[at] = (this.#sums[at] ?? 0) + value;
  }
}
