import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { span, trace } from "@whytrace/testing/samples/sample-traces.ts";

const LIVE_EVERY_MS = 5;
const WORK_EVERY_MS = 40;

/** What a tenant who behaves saw since the last report. */
export interface NeighbourReport {
  /** The slowest response of GET /api/health/live. */
  stallMs: number;
  /** How many requests it sent, those that watch for stalls included. */
  requests: number;
  /** How long its requests that send and read took. */
  workMs: number[];
  /** Responses other than 200. */
  refused: string[];
}

interface NeighbourOptions {
  url: string;
  key: string;
  cookie: string;
}

/** A tenant who sends a small trace and reads a list, over and over, in a thread of its own, and watches for stalls. */
export class Neighbour {
  readonly #worker: Worker;

  constructor(options: NeighbourOptions) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: options });
  }

  async during<T>(work: () => Promise<T>): Promise<{ result: T; seen: NeighbourReport }> {
    await this.#takeReport();
    const result = await work();
    return { result, seen: await this.#takeReport() };
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  async #takeReport(): Promise<NeighbourReport> {
    this.#worker.postMessage("report");
    const [report] = await once(this.#worker, "message");
    return report;
  }
}

if (!isMainThread && parentPort) behave(workerData, parentPort);

function behave({ url, key, cookie }: NeighbourOptions, port: NonNullable<typeof parentPort>) {
  const empty = (): NeighbourReport => ({ stallMs: 0, requests: 0, workMs: [], refused: [] });
  let report = empty();
  port.on("message", () => {
    port.postMessage(report);
    report = empty();
  });
  const agent = new Agent({ keepAlive: true });
  const ask = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    new Promise<number>((resolve) => {
      const startedAt = performance.now();
      report.requests += 1;
      const refuse = (reason: string) => {
        report.refused.push(`${method} ${path}: ${reason}`);
        resolve(performance.now() - startedAt);
      };
      const sent = request(url + path, { method, agent, headers }, (response) => {
        response.resume();
        response.once("error", (error) => refuse(error.message));
        response.once("end", () =>
          response.statusCode === 200
            ? resolve(performance.now() - startedAt)
            : refuse(String(response.statusCode)),
        );
      });
      sent.once("error", (error) => refuse(error.message));
      sent.end(body);
    });
  const every = async (pauseMs: number, step: () => Promise<void>) => {
    for (;;) {
      await step();
      await sleep(pauseMs);
    }
  };
  void every(LIVE_EVERY_MS, async () => {
    report.stallMs = Math.max(report.stallMs, await ask("GET", "/api/health/live", {}));
  });
  const sending = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  let sentTraces = 0;
  void every(WORK_EVERY_MS, async () => {
    const id = `neighbour-${sentTraces++ % 50}`;
    const body = JSON.stringify({ traces: [trace({ id, spans: [span(), span()] })] });
    report.workMs.push(await ask("POST", "/api/traces", sending, body));
  });
  void every(WORK_EVERY_MS, async () => {
    report.workMs.push(await ask("GET", "/api/traces?limit=5", { cookie }));
  });
}
