/** An error response. Handlers throw it; handleErrors writes it as `{ error }`. */
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

  /** For a temporary failure: the client may retry the same request. */
  static unavailable(retryAfterSeconds = 1) {
    return new HttpError(503, "Service temporarily unavailable", {
      "retry-after": String(retryAfterSeconds),
    });
  }

  static tooManyRequests(text: string, retryAfterSeconds: number) {
    return new HttpError(429, text, { "retry-after": String(Math.max(1, retryAfterSeconds)) });
  }
}
