export const TIMED_OUT =
  "The database took too long for this request. Send or ask for less, or try again later.";

/** Error texts for the API reference, for routes in which workspaces wait for a slot. */
export const BUSY_ERRORS = { 429: ["Too many requests at the same time. Try again in <seconds> s."] };

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

  /** For work that the database did not finish in time. The same request may take as long again, so a retry comes late. */
  static timedOut() {
    return new HttpError(503, TIMED_OUT, { "retry-after": "60" });
  }

  static tooManyRequests(text: string, retryAfterSeconds: number) {
    return new HttpError(429, text, { "retry-after": String(Math.max(1, retryAfterSeconds)) });
  }
}
