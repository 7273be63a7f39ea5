/** A field of a JSON request has the wrong type. */
export class FieldError extends Error {
  override name = "FieldError";
  /** Where the field is. The path grows while the error passes through the readers around the field. */
  #path: string;
  readonly #expected: string;

  constructor(path: string, expected: string) {
    super();
    this.#path = path;
    this.#expected = expected;
  }

  /** The error with a longer path. An error of another kind is returned as it is. */
  static inside(path: string, error: unknown): unknown {
    if (error instanceof FieldError && path !== "")
      error.#path = error.#path === "" ? path : `${path}.${error.#path}`;
    return error;
  }

  get text(): string {
    return `${this.#path || "The request"} must be ${this.#expected}`;
  }
}

/** Reads what is at this path. */
export function within<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw FieldError.inside(path, error);
  }
}
