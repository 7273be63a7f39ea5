/** What may end a search. */
export interface SearchLimit {
  /** Throws if no time is left. */
  check(): void;
}

/** About as many steps of a pattern's program pass between two looks at the clock. A character may take one of each of its instructions. */
const STEPS_PER_CHECK = 16_384;

/**
 * A text that ends the search in it when its time is over. The engine reads a text character by character, so a pattern that a
 * workspace wrote never runs for longer than it may, wherever in the text it is.
 */
export class EndableText {
  readonly length: number;
  readonly #text: string;
  readonly #limit: SearchLimit;
  readonly #readsPerCheck: number;
  #readsLeft: number;

  constructor(text: string, programSize: number, limit: SearchLimit) {
    this.#text = text;
    this.length = text.length;
    this.#limit = limit;
    this.#readsPerCheck = Math.max(1, Math.floor(STEPS_PER_CHECK / programSize));
    this.#readsLeft = this.#readsPerCheck;
  }

  /** The engine takes objects that say so for strings. */
  get [Symbol.toStringTag]() {
    return "String";
  }

  charCodeAt(index: number): number {
    this.#readsLeft -= 1;
    if (this.#readsLeft === 0) {
      this.#readsLeft = this.#readsPerCheck;
      this.#limit.check();
    }
    return this.#text.charCodeAt(index);
  }

  /** Native, so a check for each call is enough: a text is no longer than a window. */
  indexOf(searched: string, from: number): number {
    this.#limit.check();
    return this.#text.indexOf(searched, from);
  }
}
