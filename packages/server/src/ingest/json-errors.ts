/** The maximum nesting depth and number of values of a request body. */
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
