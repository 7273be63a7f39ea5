const MAX_LENGTH = 16_384;

/** The arguments of a tool as a decision shows them; undefined if they are too long: they are on the tool's span. */
export function shortArguments(given: unknown): unknown {
  return given !== undefined && JSON.stringify(given).length <= MAX_LENGTH ? given : undefined;
}
