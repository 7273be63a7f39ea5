/** Every pause and bound of sending in one place; tests have their own. */
export const TIMING = {
  batchMs: 1_000,
  batchTraces: 50,
  batchBytes: 4 * 1_024 * 1_024,
  /** What the server takes, less the frame around the traces. */
  bodyMaxBytes: 10 * 1_024 * 1_024 - 64,
  queueTraces: 1_000,
  queueWeight: 64 * 1_024 * 1_024,
  /** Until a request is given up; a body of megabytes gets the time it needs on a slow line. */
  requestMs: 10_000,
  slowestBytesPerMs: 128,
  /** Doubles six times: 0.5, 1, 2, 4, 8, 16, then 30 s, as long as the server is away. */
  retryMs: 500,
  retryMaxMs: 30_000,
  /** How often a batch that the server answers with 500 is sent again before it is taken apart. */
  retries: 6,
  firstSnapshotMs: 3_000,
  nextSnapshotMs: 10_000,
  snapshotGrowth: 1.25,
  sweepMs: 1_000,
  /** A request that got no answer may still be carried out this much later. */
  settleMs: 30_000,
  flushMs: 2_000,
};

export type Timing = typeof TIMING;
