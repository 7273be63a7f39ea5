/** The deepest nesting and the largest number of values that a request body may have. */
export const MAX_DEPTH = 256;
export const MAX_VALUES = 1_000_000;

/** The body is not JSON. */
export class JsonSyntaxError extends Error {
  override name = "JsonSyntaxError";
}

/** The body is JSON, but it exceeds a limit. The message is the response. */
export class JsonLimitError extends Error {
  override name = "JsonLimitError";
}
