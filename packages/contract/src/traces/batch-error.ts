/** The batch is invalid. The response has this status and message. */
export class BatchError extends Error {
  override name = "BatchError";
  readonly status: 400 | 409;
  /** Where in the body the check failed, as far as it is known: "traces[3].spans[0]". */
  path = "";

  constructor(status: 400 | 409, message: string) {
    super(message);
    this.status = status;
  }
}

/** The error of a check, with the part of the body in which it failed. */
export function errorAt(place: string, error: unknown): unknown {
  if (error instanceof BatchError) error.path = error.path === "" ? place : `${place}.${error.path}`;
  return error;
}

export const invalid = (message: string) => new BatchError(400, message);
