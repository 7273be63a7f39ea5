import { ByteBudget } from "../concurrency/byte-budget.ts";
import type { RecentCallers } from "../concurrency/recent-callers.ts";
import { TokenBuckets } from "../concurrency/token-buckets.ts";
import type { Config } from "../config.ts";
import type { Metrics } from "./metrics.ts";

const MAX_WAIT_MS = 10_000;
/** A response that takes less does not pause. */
const MIN_WORK_MS = 10;
/** The pause relative to the work before it. */
const PAUSE_RATIO = 2;

/** What responses with workspaces' traces may take: memory while they wait for their clients, and bytes per minute. */
export class ReadBudget {
  readonly memory: ByteBudget;
  readonly #rates: TokenBuckets;
  readonly #recentCallers: RecentCallers;

  constructor({ memory, readBytesPerMinute }: Config, metrics: Metrics, recentCallers: RecentCallers) {
    this.#recentCallers = recentCallers;
    this.memory = new ByteBudget({
      maxBytes: memory.readBytes,
      maxBytesPerWorkspace: memory.readBytes / 2,
      maxWaitMs: MAX_WAIT_MS,
    });
    this.#rates = new TokenBuckets(readBytesPerMinute);
    metrics.gauge(
      "read_memory_bytes",
      "Bytes of responses that wait for clients",
      () => this.memory.heldBytes,
    );
    metrics.queue("read-memory", this.memory);
  }

  countBytes(caller: string, bytes: number) {
    this.#rates.take(caller, bytes);
  }

  /**
   * How long a response pauses that took `workMs` since its last pause, for the sake of other workspaces: longer if the caller has
   * read a lot. A caller that is alone does not pause.
   */
  pauseMs(caller: string, workMs = 0): number {
    const pauseMs = workMs < MIN_WORK_MS ? 0 : workMs * PAUSE_RATIO;
    const waitMs = Math.max(this.#rates.waitMs(caller), pauseMs);
    return waitMs > 0 && this.#recentCallers.hasOthers(caller) ? waitMs : 0;
  }
}
