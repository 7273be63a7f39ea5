/** Which turns answer an error: those whose turn before had one. */
export const reactionsTo = (errors: readonly (number | null)[]): boolean[] =>
  errors.map((_, turn) => turn > 0 && errors[turn - 1] !== null);
