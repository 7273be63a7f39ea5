/** Where a record that was read from JSON keeps the text it was read from. */
export const SOURCE = Symbol("source");

/** A JSON value as the bytes it was sent in: it is stored and given back without being read. */
export class RawJson {
  readonly #text: Uint8Array;
  readonly #start: number;
  readonly #end: number;

  /** From the text that holds it. */
  constructor(text: Uint8Array, start: number, end: number) {
    this.#text = text;
    this.#start = start;
    this.#end = end;
  }

  /** A view: most values are looked at once or never. */
  get bytes(): Uint8Array {
    return this.#text.subarray(this.#start, this.#end);
  }
}
