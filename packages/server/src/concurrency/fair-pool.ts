import { Overloaded } from "./overloaded.ts";
import { RecentCallers } from "./recent-callers.ts";
import { TokenBuckets } from "./token-buckets.ts";

export interface FairPoolOptions {
  maxRunning: number;
  /** Default: no limit per caller. */
  maxRunningPerCaller?: number;
  /**
   * The same while others use the server too; with `maxBusyMsPerMinute` only for a caller whose calls have run for long lately.
   * Default: `maxRunningPerCaller`.
   */
  maxRunningPerCallerWhileShared?: number;
  maxWaitingPerCaller: number;
  /** Default: no limit. */
  maxWaitMs?: number;
  /** How long the calls of one caller may run in a minute, all together, while others use the server too. Default: no limit. */
  maxBusyMsPerMinute?: number;
  /** Who uses the server. Default: who calls. */
  recentCallers?: RecentCallers;
}

const BUSY_BURST_SECONDS = 3;

interface Waiter {
  start(): void;
}

/**
 * Runs at most `maxRunning` calls at once, and of one caller at most `maxRunningPerCaller`. Further calls wait, and
 * callers are served round robin: a caller with a thousand waiting calls delays another caller by one call. While others use
 * the server too, a caller whose calls have run for long lately pauses. A call that finds too many calls of its
 * caller waiting, or that waits for too long, fails with Overloaded.
 */
export class FairPool {
  readonly #options: FairPoolOptions;
  readonly #busyMs: TokenBuckets | undefined;
  readonly #runningByCaller = new Map<string, number>();
  readonly #recentCallers: RecentCallers;
  /** The waiting calls of each caller, first in, first out. The caller that is served next comes first. */
  readonly #waitingByCaller = new Map<string, Set<Waiter>>();
  #running = 0;
  #refused = 0;

  constructor(options: FairPoolOptions) {
    this.#options = options;
    const { maxBusyMsPerMinute, recentCallers = new RecentCallers() } = options;
    this.#recentCallers = recentCallers;
    if (maxBusyMsPerMinute !== undefined)
      this.#busyMs = new TokenBuckets(maxBusyMsPerMinute, BUSY_BURST_SECONDS);
  }

  get running() {
    return this.#running;
  }

  get waiting() {
    let count = 0;
    for (const waiting of this.#waitingByCaller.values()) count += waiting.size;
    return count;
  }

  /** How many calls were refused. */
  get refused() {
    return this.#refused;
  }

  /** A call that continues work that was begun earlier is never refused. */
  async run<T>(caller: string, work: () => Promise<T>, { isContinued = false } = {}): Promise<T> {
    this.#recentCallers.remember(caller);
    // A new call must not overtake the caller's waiting ones. It cannot overtake another caller's: those could start too.
    if (!this.#waitingByCaller.has(caller) && this.#canStart(caller)) this.#start(caller);
    else await this.#wait(caller, isContinued);
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#busyMs?.take(caller, performance.now() - startedAt);
      this.#finish(caller);
    }
  }

  #runningOf(caller: string): number {
    return this.#runningByCaller.get(caller) ?? 0;
  }

  #canStart(caller: string): boolean {
    return this.#running < this.#options.maxRunning && !this.#isOverShare(caller);
  }

  /** Whether the caller has to wait for its own calls. */
  #isOverShare(caller: string): boolean {
    return this.#runningOf(caller) >= this.#maxRunningOf(caller) || this.#pauseMs(caller) > 0;
  }

  #maxRunningOf(caller: string): number {
    const {
      maxRunningPerCaller = Number.POSITIVE_INFINITY,
      maxRunningPerCallerWhileShared = maxRunningPerCaller,
    } = this.#options;
    const isHeavy =
      !this.#busyMs || this.#busyMs.waitMs(caller, performance.now(), BUSY_BURST_SECONDS / 2) > 0;
    return isHeavy && this.isShared(caller) ? maxRunningPerCallerWhileShared : maxRunningPerCaller;
  }

  /** Whether somebody else uses the server, too. */
  isShared(caller: string): boolean {
    return this.#recentCallers.hasOthers(caller);
  }

  #pauseMs(caller: string): number {
    const pauseMs = this.#busyMs?.waitMs(caller) ?? 0;
    return pauseMs > 0 && this.isShared(caller) ? pauseMs : 0;
  }

  #start(caller: string) {
    this.#running += 1;
    this.#runningByCaller.set(caller, this.#runningOf(caller) + 1);
  }

  #finish(caller: string) {
    this.#running -= 1;
    const running = this.#runningOf(caller) - 1;
    if (running === 0) this.#runningByCaller.delete(caller);
    else this.#runningByCaller.set(caller, running);
    this.#wakeAfterPause(caller);
    this.#startWaiting();
  }

  /** If none of a caller's calls runs, nothing else starts those that wait. */
  #wakeAfterPause(caller: string) {
    const pauseMs = this.#waitingByCaller.has(caller) ? this.#pauseMs(caller) : 0;
    if (pauseMs > 0) setTimeout(() => this.#startWaiting(), pauseMs);
  }

  #startWaiting() {
    for (const [caller, waiting] of this.#waitingByCaller) {
      if (this.#running >= this.#options.maxRunning) return;
      const [next] = waiting;
      if (!next || !this.#canStart(caller)) continue;
      this.#removeWaiter(caller, next);
      // The caller is served next after all others.
      if (waiting.size > 0) {
        this.#waitingByCaller.delete(caller);
        this.#waitingByCaller.set(caller, waiting);
      }
      this.#start(caller);
      next.start();
    }
  }

  #removeWaiter(caller: string, waiter: Waiter) {
    const waiting = this.#waitingByCaller.get(caller);
    waiting?.delete(waiter);
    if (waiting?.size === 0) this.#waitingByCaller.delete(caller);
  }

  #refuse(retryAfterSeconds: number, isOwnShare: boolean): Overloaded {
    this.#refused += 1;
    return new Overloaded(retryAfterSeconds, { isOwnShare });
  }

  async #wait(caller: string, isContinued: boolean): Promise<void> {
    const { maxRunningPerCaller, maxWaitingPerCaller, maxWaitMs } = this.#options;
    const waiting = this.#waitingByCaller.get(caller) ?? new Set();
    if (waiting.size >= maxWaitingPerCaller && !isContinued)
      throw this.#refuse(2, maxRunningPerCaller !== undefined);
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        this.#removeWaiter(caller, waiter);
        reject(this.#refuse(5, this.#isOverShare(caller)));
      };
      const timer = maxWaitMs === undefined || isContinued ? undefined : setTimeout(giveUp, maxWaitMs);
      const waiter = {
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#waitingByCaller.set(caller, waiting.add(waiter));
      this.#wakeAfterPause(caller);
    });
  }
}
