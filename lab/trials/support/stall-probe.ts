import { once } from "node:events";
import { Agent, get } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

const INTERVAL_MS = 10;

export interface Stall {
  /** The slowest response of GET /api/health/live. */
  worstMs: number;
  /** The longest event loop delay of the probe itself, which may be part of `worstMs`. */
  ownMs: number;
}

/** Polls a server's liveness endpoint every 10 ms from a separate thread. */
export class StallProbe {
  readonly #worker: Worker;

  constructor(serverUrl: string) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: serverUrl });
  }

  /** Returns the longest stall while `work` ran. */
  async during<T>(work: () => Promise<T>): Promise<{ result: T; stall: Stall }> {
    await this.#takeReport();
    const result = await work();
    return { result, stall: await this.#takeReport() };
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Returns the longest stall since the last report and resets it. */
  async #takeReport(): Promise<Stall> {
    this.#worker.postMessage("report");
    const [stall] = await once(this.#worker, "message");
    return stall;
  }
}

if (!isMainThread && parentPort) await probe(`${workerData}/api/health/live`, parentPort);

async function probe(url: string, port: NonNullable<typeof parentPort>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ownDelay = monitorEventLoopDelay({ resolution: 2 });
  ownDelay.enable();
  let worstMs = 0;
  let isReportRequested = false;
  port.on("message", () => {
    isReportRequested = true;
  });
  for (;;) {
    const startedAt = performance.now();
    await new Promise<void>((resolve, reject) => {
      get(url, { agent }, (response) => response.resume().once("end", resolve)).once("error", reject);
    });
    worstMs = Math.max(worstMs, performance.now() - startedAt);
    if (isReportRequested) {
      port.postMessage({ worstMs, ownMs: ownDelay.max / 1e6 } satisfies Stall);
      ownDelay.reset();
      worstMs = 0;
      isReportRequested = false;
    }
    await sleep(INTERVAL_MS);
  }
}
