const INITIAL_ROWS = 256;

/** Counts decisions by row of a table, for one run or session after another. */
export class RowCounts {
  /** Those from 0 on are in use. */
  size = 0;
  #rows = new Uint32Array(INITIAL_ROWS);
  #decisions = new Uint32Array(INITIAL_ROWS);
  #failed = new Uint32Array(INITIAL_ROWS);
  #recovered = new Uint32Array(INITIAL_ROWS);
  #unknown = new Uint32Array(INITIAL_ROWS);
  /** By row of the table: its index, from 1 on; 0 if nothing is counted of it. */
  #places = new Int32Array(INITIAL_ROWS);

  add(row: number, decisions: number, failed: number, recovered = 0, unknown = 0) {
    const index = (this.#places[row] || this.#place(row)) - 1;
    this.#decisions[index] = (this.#decisions[index] ?? 0) + decisions;
    if (failed > 0) this.#failed[index] = (this.#failed[index] ?? 0) + failed;
    if (recovered > 0) this.#recovered[index] = (this.#recovered[index] ?? 0) + recovered;
    if (unknown > 0) this.#unknown[index] = (this.#unknown[index] ?? 0) + unknown;
  }

  row(index: number): number {
    return this.#rows[index] ?? 0;
  }

  decisions(index: number): number {
    return this.#decisions[index] ?? 0;
  }

  failed(index: number): number {
    return this.#failed[index] ?? 0;
  }

  recovered(index: number): number {
    return this.#recovered[index] ?? 0;
  }

  /** Decisions of which the outcome is unknown; they are not among `decisions`. */
  unknown(index: number): number {
    return this.#unknown[index] ?? 0;
  }

  /** Of a row: decisions, with those that are unknown. */
  endedOf(row: number): number {
    const index = (this.#places[row] ?? 0) - 1;
    return (this.#decisions[index] ?? 0) + (this.#unknown[index] ?? 0);
  }

  clear() {
    for (let index = 0; index < this.size; index += 1) this.#places[this.row(index)] = 0;
    this.size = 0;
  }

  #place(row: number): number {
    if (row >= this.#places.length) this.#places = grown(this.#places, row + 1);
    const index = this.size;
    if (index === this.#rows.length) {
      this.#rows = grown(this.#rows);
      this.#decisions = grown(this.#decisions);
      this.#failed = grown(this.#failed);
      this.#recovered = grown(this.#recovered);
      this.#unknown = grown(this.#unknown);
    }
    this.#rows[index] = row;
    this.#decisions[index] = this.#failed[index] = this.#recovered[index] = this.#unknown[index] = 0;
    this.size = index + 1;
    this.#places[row] = this.size;
    return this.size;
  }
}

/** A copy with at least twice the room. */
export function grown<Numbers extends Uint32Array | Int32Array>(
  numbers: Numbers,
  minLength?: number,
): Numbers;
export function grown(numbers: Uint32Array | Int32Array, minLength = 0): Uint32Array | Int32Array {
  const length = Math.max(minLength, numbers.length * 2);
  const larger = numbers instanceof Uint32Array ? new Uint32Array(length) : new Int32Array(length);
  larger.set(numbers);
  return larger;
}
