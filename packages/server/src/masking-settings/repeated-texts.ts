import type { Scope } from "../masking/scope.ts";
import type { CountedPlace } from "./counted-place.ts";

const MAX_LENGTH = 4 * 1024 * 1024;

/**
 * What rules match in long texts. Each call of a model carries the conversation so far, so most of them were there before, in the same
 * place.
 */
export class RepeatedTexts {
  readonly #counted = new Map<Scope, Map<string, readonly CountedPlace[]>>();
  #length = 0;

  find(text: string, scope: Scope, place: string): readonly CountedPlace[] | undefined {
    return this.#counted.get(scope)?.get(keyOf(text, place));
  }

  add(text: string, scope: Scope, place: string, counted: readonly CountedPlace[]) {
    const key = keyOf(text, place);
    if (this.#length > MAX_LENGTH) {
      this.#counted.clear();
      this.#length = 0;
    }
    this.#length += key.length;
    const ofScope = this.#counted.get(scope);
    if (ofScope) ofScope.set(key, counted);
    else this.#counted.set(scope, new Map([[key, counted]]));
  }
}

/** Both may have any characters. */
const keyOf = (text: string, place: string) => `${place.length} ${place}${text}`;
