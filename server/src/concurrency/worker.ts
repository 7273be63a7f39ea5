import { setTimeout as sleep } from "node:timers/promises";

export interface Worker {
  /** Resolves when the round under way has ended; no other begins. */
  stop(): Promise<void>;
}

/** Repeats `round` with a pause in between; a round that fails is logged and does not end the worker. */
export function startWorker(
  name: string,
  pauseMs: number,
  log: { warn(fields: object, message: string): void },
  round: (stopping: AbortSignal) => Promise<unknown>,
): Worker {
  const stopping = new AbortController();
  const ended = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await round(stopping.signal);
      } catch (error) {
        log.warn({ err: error, worker: name }, "worker round failed; it will be tried again");
      }
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    stop() {
      stopping.abort();
      return ended;
    },
  };
}
