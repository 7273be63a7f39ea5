import { ByteBudget } from "../concurrency/byte-budget.ts";
import type { RecentUsers } from "../concurrency/recent-users.ts";
import { TokenBuckets } from "../concurrency/token-buckets.ts";
import type { Config } from "../config.ts";
import type { Metrics } from "./metrics.ts";

const MAX_WAIT_MS = 10_000;

/** What responses with users' traces may take: memory while they wait for their clients, and bytes per minute. */
export class ReadBudget {
  readonly memory: ByteBudget;
  readonly #rates: TokenBuckets;
  readonly #recentUsers: RecentUsers;

  constructor({ memory, readBytesPerMinute }: Config, metrics: Metrics, recentUsers: RecentUsers) {
    this.#recentUsers = recentUsers;
    this.memory = new ByteBudget({
      maxBytes: memory.readBytes,
      maxBytesPerUser: memory.readBytes / 2,
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

  countBytes(userId: string, bytes: number) {
    this.#rates.take(userId, bytes);
  }

  /** How long a user who has read a lot pauses. A user who is alone does not have to. */
  pauseMs(userId: string): number {
    const waitMs = this.#rates.waitMs(userId);
    return waitMs > 0 && this.#recentUsers.hasOthers(userId) ? waitMs : 0;
  }
}
