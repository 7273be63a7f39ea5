import type { FastifyBaseLogger } from "fastify";
import { Counter, Histogram } from "prom-client";
import { startWorker, type Worker } from "../../concurrency/worker.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import type { Metrics } from "../../http/metrics.ts";
import { SecretBox } from "../secret-box.ts";
import { DeliverySender } from "./delivery-sender.ts";
import { countWaiting } from "./lease-deliveries.ts";

const PAUSE_MS = 200;
const COUNT_MS = 10_000;

interface SenderOptions {
  db: Database;
  config: Config;
  log: FastifyBaseLogger;
  metrics: Metrics;
}

/** Starts to send messages to channels. It stops when the messages on their way have an answer. */
export function startSender({ db, config, log, metrics }: SenderOptions): Worker {
  const registers = [metrics.registry];
  const attempts = new Counter({
    name: "whytrace_deliveries_total",
    help: "Attempts to deliver a message, by the state that they led to",
    labelNames: ["state"] as const,
    registers,
  });
  const seconds = new Histogram({
    name: "whytrace_delivery_seconds",
    help: "Time from resolving a receiver's name to its answer",
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const refused = metrics.counter(
    "webhook_addresses_refused_total",
    "Attempts to deliver a message to an address that is not public",
  );
  let waiting = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  metrics.gauge(
    "deliveries_waiting",
    "Messages that were not delivered yet, in all processes",
    () => waiting,
  );
  const sender = new DeliverySender({
    db,
    secrets: new SecretBox(config.secretsKey),
    rules: config.webhooks,
    retriesMs: config.webhooks.retriesMs,
    burst: config.notifyBurst,
    publicUrl: config.publicUrl,
    log,
    onAttempt: ({ durationMs, isRefusedAddress }, state) => {
      attempts.inc({ state: state ?? "lost" });
      seconds.observe(durationMs / 1_000);
      if (isRefusedAddress) refused.inc();
    },
  });
  const worker = startWorker("deliveries", PAUSE_MS, log, async (stopping) => {
    await sender.run(stopping);
    if (performance.now() - countedAt < COUNT_MS) return;
    waiting = await countWaiting(db);
    countedAt = performance.now();
  });
  return {
    async stop() {
      await worker.stop();
      await sender.drain();
    },
  };
}
