/** The property of a scanned record that holds the record's JSON as sent. */
export const SOURCE = Symbol("source");

/** Whether a JSON value that was not parsed is an array. A symbol, so that no field of a value can be mistaken for it. */
export const IS_ARRAY = Symbol("isArray");

/** A JSON value as the bytes that were sent. It is stored and returned without being parsed. */
export class RawJson {
  readonly #text: Uint8Array;
  readonly #start: number;
  readonly #end: number;

  /** `text` contains the value from `start` to before `end`. */
  constructor(text: Uint8Array, start: number, end: number) {
    this.#text = text;
    this.#start = start;
    this.#end = end;
  }

  /** A view, created on demand: most values are read once or never. */
  get bytes(): Uint8Array {
    return this.#text.subarray(this.#start, this.#end);
  }

  get [IS_ARRAY](): boolean {
    return this.#text[this.#start] === 0x5b;
  }
}
