/** An answer that is not a success: handlers throw it, one place writes `{ error }`. */
export class HttpError extends Error {
  override name = "HttpError";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    text: string,
    headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(text, options);
    this.status = status;
    this.headers = headers;
  }

  /** For trouble that passes by itself: the same request may be sent again. */
  static unavailable(retryAfterSeconds = 1) {
    return new HttpError(503, "Service temporarily unavailable", {
      "retry-after": String(retryAfterSeconds),
    });
  }

  static tooManyRequests(text: string, retryAfterSeconds: number) {
    return new HttpError(429, text, { "retry-after": String(Math.max(1, retryAfterSeconds)) });
  }
}
