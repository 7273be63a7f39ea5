/** The batch is invalid. The response has this status and message. */
export class BatchError extends Error {
  override name = "BatchError";
  readonly status: 400 | 409;

  constructor(status: 400 | 409, message: string) {
    super(message);
    this.status = status;
  }
}

export const invalid = (message: string) => new BatchError(400, message);
