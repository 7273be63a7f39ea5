import { createHash, timingSafeEqual } from "node:crypto";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { App } from "./app-instance.ts";
import { HttpError } from "./http-error.ts";
import { routeOf } from "./request-log.ts";

/** Where work waits or is refused. */
interface Queue {
  readonly waiting: number;
  /** How many calls were refused since the process started. */
  readonly refused: number;
}

/** Prometheus metrics of this process. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = new Histogram({
    name: "whytrace_http_request_duration_seconds",
    help: "Time from receiving a request to sending its response",
    labelNames: ["method", "route", "status"] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  });

  readonly #queues = new Map<string, Queue>();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.#describeQueues();
  }

  queue(name: string, queue: Queue) {
    this.#queues.set(name, queue);
  }

  #describeQueues() {
    const queues = this.#queues;
    const labelNames = ["queue"] as const;
    const registers = [this.registry];
    new Gauge({
      name: "whytrace_queue_waiting",
      help: "Calls that wait for their turn",
      labelNames,
      registers,
      collect() {
        for (const [queue, { waiting }] of queues) this.set({ queue }, waiting);
      },
    });
    new Counter({
      name: "whytrace_queue_refused_total",
      help: "Calls that were refused",
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [queue, { refused }] of queues) this.inc({ queue }, refused);
      },
    });
  }

  counter(name: string, help: string) {
    return new Counter({ name: `whytrace_${name}`, help, registers: [this.registry] });
  }

  /** Calls `read` at each scrape. */
  gauge(name: string, help: string, read: () => number) {
    new Gauge({
      name: `whytrace_${name}`,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  routes(app: App, token: string | undefined) {
    app.addHook("onResponse", async (request, reply) => {
      const labels = { method: request.method, route: routeOf(request), status: String(reply.statusCode) };
      this.#requests.observe(labels, reply.elapsedTime / 1_000);
    });
    if (token === undefined) return;
    app.get("/metrics", { schema: { hide: true } }, async (request, reply) => {
      if (!isSame(request.headers.authorization ?? "", `Bearer ${token}`))
        throw new HttpError(401, "Unauthorized");
      return reply.type(this.registry.contentType).send(await this.registry.metrics());
    });
  }
}

/** Constant-time comparison. timingSafeEqual needs inputs of equal length, hence the hashes. */
function isSame(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash("sha256").update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
