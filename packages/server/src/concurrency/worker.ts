import { setTimeout as sleep } from "node:timers/promises";

export interface Worker {
  /** Starts no further run and resolves when the current one has ended. */
  stop(): Promise<void>;
}

/** Calls `run` repeatedly, with a pause after each run. A run that fails is logged; the worker continues. */
export function startWorker(
  name: string,
  pauseMs: number,
  log: { warn(fields: object, message: string): void },
  run: (stopping: AbortSignal) => Promise<unknown>,
): Worker {
  const stopping = new AbortController();
  const ended = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await run(stopping.signal);
      } catch (error) {
        log.warn({ err: error, worker: name }, "worker run failed; will retry");
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
