/** Thrown when work is rejected because too much is already waiting. The same call may succeed later. */
export class Overloaded extends Error {
  override name = "Overloaded";
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super("too much work is waiting");
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
