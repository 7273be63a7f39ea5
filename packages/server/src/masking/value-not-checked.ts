import type { MaskingFailure } from "./masking-tally.ts";

/** Says that a stored value could not be checked, so that nobody replaces it: it cannot be sent again. */
export class ValueNotChecked extends Error {
  override name = "ValueNotChecked";
  readonly failure: MaskingFailure;

  constructor(failure: MaskingFailure) {
    super("A stored value could not be checked");
    this.failure = failure;
  }
}
