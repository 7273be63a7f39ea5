import type { Settings } from "../config.ts";
import type { Recording } from "../recording.ts";
import type { Tuning } from "../tuning.ts";
import type { WhytraceError } from "../types.ts";
import { type Outcome, postBatch } from "./post-batch.ts";
import { type SerializedTrace, serializeBatch, serializeTrace } from "./serialize-trace.ts";
import { describeError } from "./to-json.ts";
import { TraceQueue } from "./trace-queue.ts";
import { startUnrefTimer } from "./unref-timer.ts";

type Report = (code: WhytraceError["code"], message: string, traceId?: string) => void;

/**
 * Sends queued traces, one request at a time, and serializes each trace when its request is built. So an older state of
 * a trace never follows a newer one. One case remains: the server may process a request that got no response after a
 * newer state of the trace. Therefore the final state of that trace is sent again later.
 */
export class Sender {
  readonly counts = { sent: 0, snapshotsSent: 0, dropped: 0, snapshotsDropped: 0 };
  isStopped = false;
  readonly #settings: Settings;
  readonly #tuning: Tuning;
  readonly #report: Report;
  readonly #queue: TraceQueue;
  /** The oldest revision of each recording whose request got no response. */
  readonly #unconfirmed = new WeakMap<Recording, number>();
  /** The newest revision of each recording that the server has acknowledged. */
  readonly #acknowledged = new WeakMap<Recording, number>();
  /** Recordings whose final state is sent again later, each with a function that cancels the timer. */
  readonly #resends = new Map<Recording, () => void>();
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

  constructor(settings: Settings, tuning: Tuning, report: Report) {
    this.#settings = settings;
    this.#tuning = tuning;
    this.#report = report;
    this.#queue = new TraceQueue(tuning);
  }

  get queued(): number {
    return this.#queue.size;
  }

  add(recording: Recording): void {
    if (this.isStopped || (!recording.isFinal && this.#isLimited)) {
      this.#countDropped([recording]);
      return;
    }
    const dropped = this.#queue.add(recording);
    if (dropped.length > 0) {
      this.#countDropped(dropped);
      if (dropped.some((one) => one.isFinal))
        this.#report("queue-full", "the queue is full: the oldest traces are dropped");
    }
    const isFull =
      this.#queue.length >= this.#tuning.maxBatchTraces || this.#queue.weight >= this.#tuning.maxBatchBytes;
    this.#schedule(isFull ? 0 : this.#tuning.batchDelayMs);
  }

  /** Resolves to true if the queue is empty, to false after the timeout or if the server asks to wait for longer. */
  async flush(timeoutMs: number): Promise<boolean> {
    const deadline = Date.now() + timeoutMs;
    let pauseMs = this.#tuning.retryDelayMs / 2;
    while (this.#queue.size > 0 && !this.isStopped) {
      const leftMs = deadline - Date.now();
      const limitedMs = this.#limitedUntil - Date.now();
      if (leftMs <= Math.max(0, limitedMs)) return false;
      if (limitedMs > 0) {
        await waitAtMost(limitedMs, new Promise(() => {}));
        continue;
      }
      this.#pausedUntil = 0;
      const before = this.#failures;
      await waitAtMost(leftMs, this.#startDraining());
      if (this.#failures > before) {
        await waitAtMost(Math.min(pauseMs, deadline - Date.now()), new Promise(() => {}));
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

  /** What has to be sent before the process exits, including final states that are to be sent again. */
  unacknowledged(): Recording[] {
    return [...new Set([...this.#queue.unacknowledged(), ...this.#resends.keys()])];
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
      const batch = this.#takeBatch();
      if (batch.length === 0) return;
      await this.#deliver(batch);
    }
  }

  #takeBatch(): SerializedTrace[] {
    const { maxBatchTraces, maxBatchBytes, maxBodyBytes } = this.#tuning;
    const batch: SerializedTrace[] = [];
    let bytes = 0;
    for (const recording of [...this.#queue]) {
      if (batch.length >= maxBatchTraces) break;
      if (batch.some((one) => one.recording.format.path !== recording.format.path)) continue;
      if (batch.length > 0 && bytes + recording.weight > maxBatchBytes) break;
      const serialized = this.#serialize(recording, maxBodyBytes);
      if (!serialized) continue;
      if (batch.length > 0 && bytes + serialized.bytes > maxBatchBytes) break;
      this.#queue.take(recording);
      batch.push(serialized);
      bytes += serialized.bytes + 1;
    }
    return batch;
  }

  /** Drops a trace that cannot be sent. */
  #serialize(recording: Recording, maxBytes: number): SerializedTrace | undefined {
    try {
      const serialized = serializeTrace(recording, maxBytes);
      if (serialized) return serialized;
      this.#drop(recording, "trace-too-large", `its decisions alone exceed ${maxBytes} bytes`);
    } catch (error) {
      this.#drop(recording, "trace-refused", describeError(error));
    }
    return undefined;
  }

  #drop(recording: Recording, code: WhytraceError["code"], message: string): void {
    this.#queue.take(recording);
    this.#queue.complete(recording);
    this.#countDropped([recording]);
    this.#report(code, `trace "${recording.trace.name}" was not sent: ${message}`, recording.trace.id);
  }

  /**
   * Bisects a refused batch until the invalid trace is found. A batch that repeatedly gets a 500 response is bisected,
   * too; a single trace that still gets a 500 is dropped only if the server accepted another trace of the batch.
   * Otherwise the server itself is failing.
   */
  async #deliver(batch: SerializedTrace[]): Promise<void> {
    const parts = [batch];
    const suspects: SerializedTrace[] = [];
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
    else for (const { recording } of suspects) this.#drop(recording, "trace-refused", message);
  }

  #post(part: SerializedTrace[]): Promise<Outcome> {
    const batch = serializeBatch(part);
    const timeoutMs = this.#tuning.requestTimeoutMs + batch.body.length / this.#tuning.minBytesPerMs;
    this.#request = new AbortController();
    return postBatch(this.#settings, batch, timeoutMs, this.#request);
  }

  #acknowledge(part: SerializedTrace[], count: number): void {
    this.#failures = 0;
    this.#serverErrors = 0;
    this.#pausedUntil = 0;
    if (count < part.length)
      this.#report("trace-refused", `${part.length - count} trace ids belong to another user`);
    for (const { recording, revision } of part) {
      this.#queue.complete(recording);
      if (revision === 0) {
        this.counts.snapshotsSent++;
        continue;
      }
      if (!this.#acknowledged.has(recording)) this.counts.sent++;
      this.#acknowledged.set(recording, revision);
      if ((this.#unconfirmed.get(recording) ?? revision) < revision) this.#scheduleResend(recording);
    }
  }

  #scheduleResend(recording: Recording): void {
    this.#unconfirmed.delete(recording);
    this.#resends.get(recording)?.();
    const cancel = startUnrefTimer(() => {
      this.#resends.delete(recording);
      this.add(recording);
    }, this.#tuning.resendDelayMs);
    this.#resends.set(recording, cancel);
  }

  /** Returns what to send instead. A single trace is truncated if it is too large, else dropped. */
  #bisect(part: SerializedTrace[], outcome: Outcome & { message: string }): SerializedTrace[][] {
    const [first, ...others] = part;
    if (!first) return [];
    if (others.length > 0) return halves(part);
    if (outcome.kind === "too-large" && first.bytes > 64 * 1_024) {
      const smaller = this.#serialize(first.recording, Math.floor(first.bytes / 2));
      return smaller ? [[smaller]] : [];
    }
    const code = outcome.kind === "too-large" ? "trace-too-large" : "trace-refused";
    this.#drop(first.recording, code, outcome.message);
    return [];
  }

  #requeue(
    unsent: SerializedTrace[],
    outcome: Exclude<Outcome, { kind: "accepted" | "refused" | "too-large" }>,
    attempted: SerializedTrace[],
  ): void {
    if (outcome.kind === "key-refused") {
      this.#report("key-refused", `the server refused the API key, recording stops: ${outcome.message}`);
      this.stop();
      return;
    }
    if (outcome.kind !== "rate-limited")
      for (const { recording, revision } of attempted)
        this.#unconfirmed.set(recording, Math.min(revision, this.#unconfirmed.get(recording) ?? revision));
    this.#countDropped(this.#queue.requeue(unsent.map(({ recording }) => recording)));
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

  #countDropped(dropped: Recording[]): void {
    for (const recording of dropped) {
      if (!recording.isFinal) this.counts.snapshotsDropped++;
      else if (this.#acknowledged.get(recording) !== recording.revision) this.counts.dropped++;
    }
  }
}

function halves<T>(part: T[]): T[][] {
  const middle = Math.ceil(part.length / 2);
  return [part.slice(0, middle), part.slice(middle)];
}

/** Unlike the sender's other timers, this one keeps the process alive. */
async function waitAtMost(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([
    work,
    new Promise((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    }),
  ]);
  clearTimeout(timer);
}
