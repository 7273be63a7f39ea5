/** Says that rules changed after values were masked by them. Nothing of these values has been stored. */
export class MaskingChanged extends Error {
  override name = "MaskingChanged";

  constructor() {
    super("The masking rules were changed meanwhile");
  }
}
