import { once } from "node:events";
import { Agent, get } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

const PAUSE_MS = 10;

export interface Stall {
  /** The longest that GET /api/health/live took to answer. */
  worstMs: number;
  /** How much of that may be the probe's own: the longest its thread was kept from running. */
  ownMs: number;
}

/** Asks a server every 10 ms whether it lives, from a thread of its own that does nothing else. */
export class StallProbe {
  readonly #worker: Worker;

  constructor(serverUrl: string) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: serverUrl });
  }

  /** The worst while `work` ran. */
  async during<T>(work: () => Promise<T>): Promise<{ result: T; stall: Stall }> {
    await this.#ask();
    const result = await work();
    return { result, stall: await this.#ask() };
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  /** What was seen since the last question. */
  async #ask(): Promise<Stall> {
    this.#worker.postMessage("report");
    const [stall] = await once(this.#worker, "message");
    return stall;
  }
}

if (!isMainThread && parentPort) await probe(`${workerData}/api/health/live`, parentPort);

async function probe(address: string, port: NonNullable<typeof parentPort>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ownDelay = monitorEventLoopDelay({ resolution: 2 });
  ownDelay.enable();
  let worstMs = 0;
  let isAsked = false;
  port.on("message", () => {
    isAsked = true;
  });
  for (;;) {
    const began = performance.now();
    await new Promise<void>((answered, failed) => {
      get(address, { agent }, (response) => response.resume().once("end", answered)).once("error", failed);
    });
    worstMs = Math.max(worstMs, performance.now() - began);
    if (isAsked) {
      port.postMessage({ worstMs, ownMs: ownDelay.max / 1e6 } satisfies Stall);
      ownDelay.reset();
      worstMs = 0;
      isAsked = false;
    }
    await sleep(PAUSE_MS);
  }
}
