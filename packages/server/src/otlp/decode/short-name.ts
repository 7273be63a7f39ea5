const MAX_LENGTH = 1_024;

/** A name that is used as a key: of an attribute or a tool. No convention has longer ones, which are truncated. */
export const shortName = (name: string): string =>
  name.length > MAX_LENGTH ? name.slice(0, MAX_LENGTH).toWellFormed() : name;
