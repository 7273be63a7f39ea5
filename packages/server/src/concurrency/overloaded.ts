/** Thrown when work is rejected because too much is already waiting. The same call may succeed later. */
export class Overloaded extends Error {
  override name = "Overloaded";
  readonly retryAfterSeconds: number;
  /** Whether the workspace's own work is what the call waited for. Otherwise it is the work of all workspaces together. */
  readonly isOwnShare: boolean;

  constructor(retryAfterSeconds: number, { isOwnShare = false } = {}) {
    super(isOwnShare ? "too much work of this user is waiting" : "too much work is waiting");
    this.retryAfterSeconds = retryAfterSeconds;
    this.isOwnShare = isOwnShare;
  }
}
