import { setTimeout as sleep } from "node:timers/promises";
import { FairPool } from "./fair-pool.ts";

export interface UserCoalescerOptions {
  /** After a user's run. */
  pauseMs: number;
  maxRunning: number;
  /** How long the runs of one user may take in a minute while there are runs of others. */
  maxBusyMsPerMinute: number;
  /** Must not throw. */
  handle: (user: string) => Promise<void>;
}

/**
 * Handles users who were added. A user who is added again while being handled, or in the pause after it, is handled once more.
 * Users do not wait for each other's pauses, and take turns if many are waiting.
 */
export class UserCoalescer {
  readonly #options: UserCoalescerOptions;
  readonly #turns: FairPool;
  /** Whether each user who is being handled was added again. */
  readonly #isAdded = new Map<string, boolean>();

  constructor(options: UserCoalescerOptions) {
    this.#options = options;
    const { maxRunning, maxBusyMsPerMinute } = options;
    this.#turns = new FairPool({ maxRunning, maxWaitingPerUser: 1, maxBusyMsPerMinute });
  }

  add(user: string) {
    const isHandled = this.#isAdded.has(user);
    this.#isAdded.set(user, true);
    if (!isHandled) void this.#run(user);
  }

  async #run(user: string) {
    const { pauseMs, handle } = this.#options;
    while (this.#isAdded.get(user)) {
      await this.#turns.run(user, () => {
        this.#isAdded.set(user, false);
        return handle(user);
      });
      await sleep(pauseMs, undefined, { ref: false });
    }
    this.#isAdded.delete(user);
  }
}
