import type { RecentUsers } from "../concurrency/recent-users.ts";
import { TokenBuckets } from "../concurrency/token-buckets.ts";
import { refuseSlowly } from "./refuse-slowly.ts";

/** Error texts for the API reference. */
export const USER_RATE_ERRORS = {
  requests: "Too many requests in a minute. Try again in <seconds> s.",
  bytes: "Too much data in a minute. Try again in <seconds> s.",
};

const BURST_SECONDS = 10;

/** A user who is alone may use up the amount of a minute at once. */
const ALONE_BURST_SECONDS = 60;

/**
 * Limits what each user does per minute in this process. The limits are far above what agents and people do; they keep one
 * user from taking the machine from the others.
 */
export class UserRate {
  readonly #buckets: TokenBuckets;
  readonly #errorText: string;
  readonly #recentUsers: RecentUsers | undefined;
  #refused = 0;
  /** No request waits here. */
  readonly waiting = 0;

  /** A user may use up the amount of 10 s at once, and that of a minute while `recentUsers` has no others. */
  constructor(what: keyof typeof USER_RATE_ERRORS, perMinute: number, recentUsers?: RecentUsers) {
    this.#errorText = USER_RATE_ERRORS[what];
    this.#recentUsers = recentUsers;
    this.#buckets = new TokenBuckets(perMinute, recentUsers ? ALONE_BURST_SECONDS : BURST_SECONDS);
  }

  /** How many requests were refused. */
  get refused() {
    return this.#refused;
  }

  /** Throws 429 with Retry-After if the user has used up the limit. */
  async admit(userId: string): Promise<void> {
    const reservedSeconds = this.#recentUsers?.hasOthers(userId) ? ALONE_BURST_SECONDS - BURST_SECONDS : 0;
    const waitMs = this.#buckets.waitMs(userId, performance.now(), reservedSeconds);
    if (waitMs === 0) return;
    this.#refused += 1;
    const seconds = Math.ceil(waitMs / 1_000);
    await refuseSlowly(this.#errorText.replace("<seconds>", String(seconds)), seconds);
  }

  /** Counts requests or bytes; bytes after they were read, because only then their number is known. */
  count(userId: string, amount: number) {
    this.#buckets.take(userId, amount);
  }
}
