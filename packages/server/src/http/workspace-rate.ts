import type { RecentCallers } from "../concurrency/recent-callers.ts";
import { TokenBuckets } from "../concurrency/token-buckets.ts";
import { refuseSlowly } from "./refuse-slowly.ts";

/** Error texts for the API reference. */
export const WORKSPACE_RATE_ERRORS = {
  requests: "Too many requests in a minute. Try again in <seconds> s.",
  bytes: "Too much data in a minute. Try again in <seconds> s.",
};

const BURST_SECONDS = 10;

/** A workspace that is alone may use up the amount of a minute at once. */
const ALONE_BURST_SECONDS = 60;

/**
 * Limits what each workspace does per minute in this process. The limits are far above what agents and people do; they keep one
 * workspace from taking the machine from the others.
 */
export class WorkspaceRate {
  readonly #buckets: TokenBuckets;
  readonly #errorText: string;
  readonly #recentCallers: RecentCallers | undefined;
  #refused = 0;
  /** No request waits here. */
  readonly waiting = 0;

  /** A workspace may use up the amount of 10 s at once, and that of a minute while `recentCallers` has no others. */
  constructor(what: keyof typeof WORKSPACE_RATE_ERRORS, perMinute: number, recentCallers?: RecentCallers) {
    this.#errorText = WORKSPACE_RATE_ERRORS[what];
    this.#recentCallers = recentCallers;
    this.#buckets = new TokenBuckets(perMinute, recentCallers ? ALONE_BURST_SECONDS : BURST_SECONDS);
  }

  /** How many requests were refused. */
  get refused() {
    return this.#refused;
  }

  /** Throws 429 with Retry-After if the workspace, or the user on routes about a person, has used up the limit. */
  async admit(caller: string): Promise<void> {
    const reservedSeconds = this.#recentCallers?.hasOthers(caller) ? ALONE_BURST_SECONDS - BURST_SECONDS : 0;
    const waitMs = this.#buckets.waitMs(caller, performance.now(), reservedSeconds);
    if (waitMs === 0) return;
    this.#refused += 1;
    const seconds = Math.ceil(waitMs / 1_000);
    await refuseSlowly(this.#errorText.replace("<seconds>", String(seconds)), seconds);
  }

  /** Counts requests or bytes; bytes after they were read, because only then their number is known. */
  count(caller: string, amount: number) {
    this.#buckets.take(caller, amount);
  }
}
