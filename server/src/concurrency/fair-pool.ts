import { Overloaded } from "./overloaded.ts";
import { RecentUsers } from "./recent-users.ts";
import { TokenBuckets } from "./token-buckets.ts";

export interface FairPoolOptions {
  maxRunning: number;
  /** Default: no limit per user. */
  maxRunningPerUser?: number;
  /**
   * The same while others use the server too; with `maxBusyMsPerMinute` only for a user whose calls have run for long lately.
   * Default: `maxRunningPerUser`.
   */
  maxRunningPerUserWhileShared?: number;
  maxWaitingPerUser: number;
  /** Default: no limit. */
  maxWaitMs?: number;
  /** How long the calls of one user may run in a minute, all together, while others use the server too. Default: no limit. */
  maxBusyMsPerMinute?: number;
  /** Who uses the server. Default: who calls. */
  recentUsers?: RecentUsers;
}

const BUSY_BURST_SECONDS = 3;

interface Waiter {
  start(): void;
}

/**
 * Runs at most `maxRunning` calls at once, and of one user at most `maxRunningPerUser`. Further calls wait, and users take
 * turns: a user with a thousand waiting calls delays another user by one call. While others use the server too, a user whose
 * calls have run for long lately pauses. A call that finds too many calls of its user waiting, or that waits for too long, fails with Overloaded.
 */
export class FairPool {
  readonly #options: FairPoolOptions;
  readonly #busyMs: TokenBuckets | undefined;
  readonly #runningByUser = new Map<string, number>();
  readonly #recentUsers: RecentUsers;
  /** The waiting calls of each user, first in, first out. The user whose turn is next comes first. */
  readonly #waitingByUser = new Map<string, Set<Waiter>>();
  #running = 0;
  #refused = 0;

  constructor(options: FairPoolOptions) {
    this.#options = options;
    const { maxBusyMsPerMinute, recentUsers = new RecentUsers() } = options;
    this.#recentUsers = recentUsers;
    if (maxBusyMsPerMinute !== undefined)
      this.#busyMs = new TokenBuckets(maxBusyMsPerMinute, BUSY_BURST_SECONDS);
  }

  get running() {
    return this.#running;
  }

  get waiting() {
    let count = 0;
    for (const waiting of this.#waitingByUser.values()) count += waiting.size;
    return count;
  }

  /** How many calls were refused. */
  get refused() {
    return this.#refused;
  }

  /** A call that continues work that was begun earlier is never refused. */
  async run<T>(user: string, work: () => Promise<T>, { isContinued = false } = {}): Promise<T> {
    this.#recentUsers.remember(user);
    // A new call must not overtake the user's waiting ones. It cannot overtake another user's: those could start too.
    if (!this.#waitingByUser.has(user) && this.#canStart(user)) this.#start(user);
    else await this.#wait(user, isContinued);
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#busyMs?.take(user, performance.now() - startedAt);
      this.#finish(user);
    }
  }

  #runningOf(user: string): number {
    return this.#runningByUser.get(user) ?? 0;
  }

  #canStart(user: string): boolean {
    return this.#running < this.#options.maxRunning && !this.#isOverShare(user);
  }

  /** Whether the user has to wait for their own calls. */
  #isOverShare(user: string): boolean {
    return this.#runningOf(user) >= this.#maxRunningOf(user) || this.#pauseMs(user) > 0;
  }

  #maxRunningOf(user: string): number {
    const { maxRunningPerUser = Number.POSITIVE_INFINITY, maxRunningPerUserWhileShared = maxRunningPerUser } =
      this.#options;
    const isHeavy = !this.#busyMs || this.#busyMs.waitMs(user, performance.now(), BUSY_BURST_SECONDS / 2) > 0;
    return isHeavy && this.isShared(user) ? maxRunningPerUserWhileShared : maxRunningPerUser;
  }

  /** Whether somebody else uses the server, too. */
  isShared(user: string): boolean {
    return this.#recentUsers.hasOthers(user);
  }

  #pauseMs(user: string): number {
    const pauseMs = this.#busyMs?.waitMs(user) ?? 0;
    return pauseMs > 0 && this.isShared(user) ? pauseMs : 0;
  }

  #start(user: string) {
    this.#running += 1;
    this.#runningByUser.set(user, this.#runningOf(user) + 1);
  }

  #finish(user: string) {
    this.#running -= 1;
    const running = this.#runningOf(user) - 1;
    if (running === 0) this.#runningByUser.delete(user);
    else this.#runningByUser.set(user, running);
    this.#wakeAfterPause(user);
    this.#startWaiting();
  }

  /** If none of a user's calls runs, nothing else starts those that wait. */
  #wakeAfterPause(user: string) {
    const pauseMs = this.#waitingByUser.has(user) ? this.#pauseMs(user) : 0;
    if (pauseMs > 0) setTimeout(() => this.#startWaiting(), pauseMs);
  }

  #startWaiting() {
    for (const [user, waiting] of this.#waitingByUser) {
      if (this.#running >= this.#options.maxRunning) return;
      const [next] = waiting;
      if (!next || !this.#canStart(user)) continue;
      this.#removeWaiter(user, next);
      // The user's next turn comes after those of all others.
      if (waiting.size > 0) {
        this.#waitingByUser.delete(user);
        this.#waitingByUser.set(user, waiting);
      }
      this.#start(user);
      next.start();
    }
  }

  #removeWaiter(user: string, waiter: Waiter) {
    const waiting = this.#waitingByUser.get(user);
    waiting?.delete(waiter);
    if (waiting?.size === 0) this.#waitingByUser.delete(user);
  }

  #refuse(retryAfterSeconds: number, isOwnShare: boolean): Overloaded {
    this.#refused += 1;
    return new Overloaded(retryAfterSeconds, { isOwnShare });
  }

  async #wait(user: string, isContinued: boolean): Promise<void> {
    const { maxRunningPerUser, maxWaitingPerUser, maxWaitMs } = this.#options;
    const waiting = this.#waitingByUser.get(user) ?? new Set();
    if (waiting.size >= maxWaitingPerUser && !isContinued)
      throw this.#refuse(2, maxRunningPerUser !== undefined);
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        this.#removeWaiter(user, waiter);
        reject(this.#refuse(5, this.#isOverShare(user)));
      };
      const timer = maxWaitMs === undefined || isContinued ? undefined : setTimeout(giveUp, maxWaitMs);
      const waiter = {
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#waitingByUser.set(user, waiting.add(waiter));
      this.#wakeAfterPause(user);
    });
  }
}
