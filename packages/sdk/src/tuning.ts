/** Delays and limits of sending. Tests override them. */
export const TUNING = {
  batchDelayMs: 1_000,
  /** Of scores, the server takes no more. */
  maxBatch: { trace: 50, score: 1_000 },
  maxBatchBytes: 4 * 1_024 * 1_024,
  /** The server's limit, less the JSON around the traces. */
  maxBodyBytes: 10 * 1_024 * 1_024 - 64,
  maxQueued: { trace: 1_000, score: 5_000 },
  /** Of each queue. */
  maxQueuedWeight: 64 * 1_024 * 1_024,
  /** A request times out after this, plus the time that its body needs at the minimum speed. */
  requestTimeoutMs: 10_000,
  minBytesPerMs: 128,
  /** Exponential backoff: 0.5, 1, 2, 4, 8, 16, then 30 s for as long as the server is unreachable. */
  retryDelayMs: 500,
  maxRetryDelayMs: 30_000,
  /** The server may ask to wait until tomorrow, but the plan may change earlier. */
  maxRetryAfterMs: 15 * 60_000,
  /** After this many 500 responses in a row, a batch is split to find the trace that causes them. */
  maxServerErrors: 6,
  firstSnapshotMs: 3_000,
  snapshotIntervalMs: 10_000,
  minSnapshotGrowth: 1.25,
  sweepIntervalMs: 1_000,
  /** The server may still process a request without a response for this long. */
  resendDelayMs: 30_000,
  flushTimeoutMs: 2_000,
  /** How long open spans keep an ended trace open, and how long its context lasts. Later records are still added. */
  maxLingerMs: 5 * 60_000,
};

export type Tuning = typeof TUNING;
