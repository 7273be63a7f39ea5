import type { Settings } from "../config.ts";
import type { Tuning } from "../tuning.ts";
import type { WhytraceError } from "../types.ts";
import { type Outcome, postBatch } from "./post-batch.ts";
import { SendQueue } from "./send-queue.ts";
import type { Sendable } from "./sendable.ts";
import { type Batch, type Serialized, serializeBatch } from "./serialize-batch.ts";
import { describeError } from "./to-json.ts";
import { startUnrefTimer } from "./unref-timer.ts";
import { byteLength } from "./utf8.ts";

export type Report = (code: WhytraceError["code"], message: string, traceId?: string) => void;

/**
 * Sends queued traces or scores, one request at a time, and serializes each trace when its request is built. So an older
 * state of a trace never follows a newer one. One case remains: the server may process a request that got no response
 * after a newer state of the trace. Therefore the final state of that trace is sent again later.
 */
export class Sender {
  readonly counts = { sent: 0, snapshotsSent: 0, dropped: 0, snapshotsDropped: 0 };
  isStopped = false;
  readonly #settings: Settings;
  readonly #tuning: Tuning;
  readonly #report: Report;
  readonly #noun: "trace" | "score";
  /** Items wait until this sender has sent their traces. */
  readonly #before: Sender | undefined;
  readonly #queue: SendQueue;
  /** The oldest revision of each item whose request got no response. */
  readonly #unconfirmed = new WeakMap<Sendable, number>();
  /** The newest revision of each item that the server has acknowledged. */
  readonly #acknowledged = new WeakMap<Sendable, number>();
  /** Traces whose final state is sent again later, each with a function that cancels the timer. */
  readonly #resends = new Map<Sendable, () => void>();
  #cancelTimer: (() => void) | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #draining: Promise<void> | undefined;
  #request: AbortController | undefined;
  #failures = 0;
  /** Number of 500 responses in a row. */
  #serverErrors = 0;
  #pausedUntil = 0;
  /** After a 429 response, not even a flush sends a request before this time. */
  #limitedUntil = 0;

  constructor(settings: Settings, tuning: Tuning, report: Report, before?: Sender) {
    this.#settings = settings;
    this.#tuning = tuning;
    this.#report = report;
    this.#before = before;
    this.#noun = before ? "score" : "trace";
    this.#queue = new SendQueue(tuning.maxQueued[this.#noun], tuning.maxQueuedWeight);
  }

  get queued(): number {
    return this.#queue.size;
  }

  add(item: Sendable): void {
    if (this.isStopped || (!item.isFinal && this.#isLimited)) {
      this.#countDropped([item]);
      return;
    }
    const dropped = this.#queue.add(item);
    this.#countDropped(dropped);
    if (dropped.some((one) => one.isFinal))
      this.#report("queue-full", `the queue is full: the oldest ${this.#noun}s are dropped`);
    const isFull =
      this.#queue.length >= this.#tuning.maxBatch[this.#noun] ||
      this.#queue.weight >= this.#tuning.maxBatchBytes;
    this.#schedule(isFull ? 0 : this.#tuning.batchDelayMs);
  }

  /**
   * Resolves to true if the queue is empty, to false after the timeout, if the server asks to wait for longer, or if all
   * items have to wait for their traces.
   */
  async flush(timeoutMs: number): Promise<boolean> {
    const deadline = Date.now() + timeoutMs;
    let pauseMs = this.#tuning.retryDelayMs / 2;
    while (this.#queue.size > 0 && !this.isStopped) {
      const leftMs = deadline - Date.now();
      const limitedMs = this.#limitedUntil - Date.now();
      if (leftMs <= Math.max(0, limitedMs)) return false;
      if (!this.#draining && this.#ready().size === 0) return false;
      if (limitedMs > 0) {
        await waitAtMost(limitedMs);
        continue;
      }
      this.#pausedUntil = 0;
      const before = this.#failures;
      await waitAtMost(leftMs, this.#startDraining());
      if (this.#failures > before) {
        await waitAtMost(Math.min(pauseMs, deadline - Date.now()));
        pauseMs *= 2;
      }
    }
    return this.#queue.size === 0;
  }

  /** Stops sending for good and counts the queued traces as dropped. */
  stop(): void {
    this.isStopped = true;
    this.#cancelTimer?.();
    this.#countDropped(this.#queue.unacknowledged());
    this.#queue.clear();
    for (const cancel of this.#resends.values()) cancel();
    this.#resends.clear();
  }

  /** A request in flight would keep the process alive. */
  abortRequest(): void {
    this.#request?.abort(new Error("the process exits"));
  }

  /** How much has to be sent before the process exits, including final states that are to be sent again. */
  get size(): number {
    return this.#queue.size + this.#resends.size;
  }

  /** All of that, in few requests. */
  takeAll(): Batch[] {
    const items = new Set([...this.#queue.unacknowledged(), ...this.#resends.keys()]);
    const batches: Batch[] = [];
    for (;;) {
      const batch = this.#takeBatch(items, this.#tuning.maxBatch.score);
      if (batch.length === 0) return batches;
      batches.push(serializeBatch(batch));
    }
  }

  get #refused(): "trace-refused" | "score-refused" {
    return `${this.#noun}-refused`;
  }

  get #isLimited(): boolean {
    return Date.now() < this.#limitedUntil;
  }

  #schedule(delayMs: number): void {
    const at = Math.max(Date.now() + delayMs, this.#pausedUntil, this.#limitedUntil);
    if (this.isStopped || at >= this.#timerAt) return;
    this.#cancelTimer?.();
    this.#timerAt = at;
    this.#cancelTimer = startUnrefTimer(() => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      void this.#startDraining();
    }, at - Date.now());
  }

  /** Single flight: concurrent calls share one promise. */
  #startDraining(): Promise<void> {
    this.#draining ??= this.#drain()
      .catch((error: unknown) => this.#report("internal", describeError(error)))
      .finally(() => {
        this.#draining = undefined;
        if (this.#queue.length > 0) this.#schedule(this.#tuning.batchDelayMs);
      });
    return this.#draining;
  }

  async #drain(): Promise<void> {
    while (!this.isStopped && !this.#isLimited && Date.now() >= this.#pausedUntil) {
      const batch = this.#takeBatch(this.#ready(), this.#tuning.maxBatch[this.#noun]);
      if (batch.length === 0) return;
      await this.#deliver(batch);
    }
  }

  /** What waits in the queue and may be sent. */
  #ready(): Set<Sendable> {
    const before = this.#before ? this.#before.#queue.unacknowledged() : [];
    const held = new Set(before.map(({ traceId }) => traceId));
    return new Set([...this.#queue].filter(({ traceId }) => !held.has(traceId)));
  }

  /** Takes as many of the items as fit into a request. */
  #takeBatch(items: Set<Sendable>, maxItems: number): Serialized[] {
    const { maxBatchBytes, maxBodyBytes } = this.#tuning;
    const batch: Serialized[] = [];
    let bytes = 0;
    for (const item of items) {
      const [first] = batch;
      if (first && first.item.format.path !== item.format.path) continue;
      if (first && (batch.length >= maxItems || bytes + item.weight > maxBatchBytes)) break;
      const serialized = this.#serialize(item, maxBodyBytes);
      if (first && serialized && bytes + serialized.bytes > maxBatchBytes) break;
      items.delete(item);
      if (!serialized) continue;
      this.#queue.take(item);
      batch.push(serialized);
      bytes += serialized.bytes + 1;
    }
    return batch;
  }

  /** Drops a trace that cannot be sent. */
  #serialize(item: Sendable, maxBytes: number): Serialized | undefined {
    try {
      const json = item.serialize(maxBytes);
      if (json !== undefined)
        return { item, revision: item.isFinal ? item.revision : 0, json, bytes: byteLength(json) };
      this.#drop(item, "trace-too-large", `its decisions alone exceed ${maxBytes} bytes`);
    } catch (error) {
      this.#drop(item, this.#refused, describeError(error));
    }
    return undefined;
  }

  #drop(item: Sendable, code: WhytraceError["code"], message: string): void {
    this.#queue.take(item);
    this.#queue.complete(item);
    this.#countDropped([item]);
    this.#report(code, `${this.#noun} "${item.name}" was not sent: ${message}`, item.traceId);
  }

  /**
   * Bisects a refused batch until the invalid trace is found. A batch that repeatedly gets a 500 response is bisected,
   * too; a single trace that still gets a 500 is dropped only if the server accepted another trace of the batch.
   * Otherwise the server itself is failing.
   */
  async #deliver(batch: Serialized[]): Promise<void> {
    const parts = [batch];
    const suspects: Serialized[] = [];
    let isAnyAccepted = false;
    for (let part = parts.shift(); part; part = parts.shift()) {
      const outcome = await this.#post(part);
      if (this.isStopped) return;
      if (outcome.kind === "accepted") {
        isAnyAccepted = true;
        this.#acknowledge(part, outcome.count);
      } else if (outcome.kind === "refused" || outcome.kind === "too-large") {
        parts.unshift(...this.#bisect(part, outcome));
      } else if (outcome.kind === "server-error" && this.#serverErrors >= this.#tuning.maxServerErrors) {
        if (part.length > 1) parts.unshift(...halves(part));
        else suspects.push(...part);
      } else {
        this.#requeue([...suspects, ...part, ...parts.flat()], outcome, part);
        return;
      }
    }
    if (suspects.length === 0) return;
    const message = "the server responded with 500";
    if (!isAnyAccepted) this.#requeue(suspects, { kind: "server-error", message }, suspects);
    else for (const { item } of suspects) this.#drop(item, this.#refused, message);
  }

  #post(part: Serialized[]): Promise<Outcome> {
    const batch = serializeBatch(part);
    const timeoutMs = this.#tuning.requestTimeoutMs + batch.body.length / this.#tuning.minBytesPerMs;
    this.#request = new AbortController();
    return postBatch(this.#settings, batch, timeoutMs, this.#request);
  }

  #acknowledge(part: Serialized[], count: number): void {
    this.#failures = 0;
    this.#serverErrors = 0;
    this.#pausedUntil = 0;
    if (count < part.length)
      this.#report("trace-refused", `${part.length - count} trace ids belong to another user`);
    for (const { item, revision } of part) {
      this.#queue.complete(item);
      if (revision === 0) {
        this.counts.snapshotsSent++;
        continue;
      }
      if (!this.#acknowledged.has(item)) this.counts.sent++;
      this.#acknowledged.set(item, revision);
      if ((this.#unconfirmed.get(item) ?? revision) < revision) this.#scheduleResend(item);
    }
  }

  #scheduleResend(item: Sendable): void {
    this.#unconfirmed.delete(item);
    this.#resends.get(item)?.();
    const cancel = startUnrefTimer(() => {
      this.#resends.delete(item);
      this.add(item);
    }, this.#tuning.resendDelayMs);
    this.#resends.set(item, cancel);
  }

  /** Returns what to send instead. A single trace is truncated if it is too large, else dropped. */
  #bisect(part: Serialized[], outcome: Outcome & { message: string }): Serialized[][] {
    const [first, ...others] = part;
    if (!first) return [];
    if (others.length > 0) return halves(part);
    if (outcome.kind === "too-large" && first.bytes > 64 * 1_024) {
      const smaller = this.#serialize(first.item, Math.floor(first.bytes / 2));
      return smaller ? [[smaller]] : [];
    }
    const code = outcome.kind === "too-large" ? "trace-too-large" : this.#refused;
    this.#drop(first.item, code, outcome.message);
    return [];
  }

  #requeue(
    unsent: Serialized[],
    outcome: Exclude<Outcome, { kind: "accepted" | "refused" | "too-large" }>,
    attempted: Serialized[],
  ): void {
    if (outcome.kind === "key-refused") {
      this.#report("key-refused", `the server refused the API key, recording stops: ${outcome.message}`);
      this.stop();
      return;
    }
    if (outcome.kind !== "rate-limited")
      for (const { item, revision } of attempted)
        this.#unconfirmed.set(item, Math.min(revision, this.#unconfirmed.get(item) ?? revision));
    this.#countDropped(this.#queue.requeue(unsent.map(({ item }) => item)));
    const { retryDelayMs, maxRetryDelayMs } = this.#tuning;
    const backoffMs = Math.min(
      maxRetryDelayMs,
      retryDelayMs * 2 ** this.#failures * (0.75 + Math.random() * 0.5),
    );
    this.#failures++;
    this.#serverErrors = outcome.kind === "server-error" ? this.#serverErrors + 1 : 0;
    if (outcome.kind === "rate-limited") {
      this.#limitedUntil =
        Date.now() + Math.min(outcome.retryAfterMs ?? backoffMs, this.#tuning.maxRetryAfterMs);
      this.#countDropped(this.#queue.dropRunning());
      this.#report("rate-limited", outcome.message);
    } else {
      this.#pausedUntil =
        Date.now() + Math.max(backoffMs, Math.min(outcome.retryAfterMs ?? 0, maxRetryDelayMs));
      this.#report("unreachable", `${this.#settings.baseUrl}: ${outcome.message}`);
    }
  }

  #countDropped(dropped: Sendable[]): void {
    for (const item of dropped) {
      if (!item.isFinal) this.counts.snapshotsDropped++;
      else if (this.#acknowledged.get(item) !== item.revision) this.counts.dropped++;
    }
  }
}

function halves<T>(part: T[]): T[][] {
  const middle = Math.ceil(part.length / 2);
  return [part.slice(0, middle), part.slice(middle)];
}

/** Unlike the sender's other timers, this one keeps the process alive. */
async function waitAtMost(timeoutMs: number, work?: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await new Promise((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
    void work?.then(resolve);
  });
  clearTimeout(timer);
}
