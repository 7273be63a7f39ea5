import type { Settings } from "./config.ts";
import { type Outcome, postBatch } from "./post-batch.ts";
import type { Recording } from "./recording.ts";
import { startTimer } from "./timer.ts";
import type { Timing } from "./timing.ts";
import { describeError } from "./to-json.ts";
import { TraceQueue } from "./trace-queue.ts";
import type { WhytraceError } from "./types.ts";
import { type WrittenTrace, writeBody, writeTrace } from "./write-trace.ts";

type Report = (code: WhytraceError["code"], message: string, traceId?: string) => void;

/**
 * Sends what is queued, one request at a time. So the sends of one trace follow each other, and as a recording is
 * written out only when its turn comes, an older state never follows a newer one. One gap remains: a snapshot whose
 * request got no answer may be carried out late, after the final state. Then the final state is sent once more.
 */
export class Sender {
  readonly counts = { sent: 0, snapshotsSent: 0, dropped: 0, snapshotsDropped: 0 };
  isStopped = false;
  readonly #settings: Settings;
  readonly #timing: Timing;
  readonly #report: Report;
  readonly #queue: TraceQueue;
  /** Recordings with a snapshot whose request got no answer. */
  readonly #contested = new Set<Recording>();
  /** Sent, and to be sent again when the contested snapshot can no longer come. */
  readonly #settling = new Map<Recording, () => void>();
  #cancelTimer: (() => void) | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #pumping: Promise<void> | undefined;
  #request: AbortController | undefined;
  #failures = 0;
  /** How often in a row the server answered 500. */
  #stumbles = 0;
  #pausedUntil = 0;
  /** A server that said 429 is not asked again before its time, not even by a flush. */
  #limitedUntil = 0;

  constructor(settings: Settings, timing: Timing, report: Report) {
    this.#settings = settings;
    this.#timing = timing;
    this.#report = report;
    this.#queue = new TraceQueue({ maxTraces: timing.queueTraces, maxWeight: timing.queueWeight });
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
        this.#report("queue-full", "the queue is full: the oldest traces go");
    }
    const isFull =
      this.#queue.length >= this.#timing.batchTraces || this.#queue.weight >= this.#timing.batchBytes;
    this.#schedule(isFull ? 0 : this.#timing.batchMs);
  }

  /** True when everything queued has been acknowledged; false when time ran out or the server would not have it. */
  async flush(timeoutMs: number): Promise<boolean> {
    const deadline = Date.now() + timeoutMs;
    let pauseMs = this.#timing.retryMs / 2;
    while (this.#queue.size > 0 && !this.isStopped && !this.#isLimited) {
      const leftMs = deadline - Date.now();
      if (leftMs <= 0) return false;
      this.#pausedUntil = 0;
      const before = this.#failures;
      await within(leftMs, this.#pump());
      if (this.#failures > before) {
        await within(Math.min(pauseMs, deadline - Date.now()), new Promise(() => {}));
        pauseMs *= 2;
      }
    }
    return this.#queue.size === 0;
  }

  /** Nothing is sent from here on; what is left counts as dropped. */
  stop(): void {
    this.isStopped = true;
    this.#cancelTimer?.();
    this.#countDropped(this.#queue.unanswered());
    this.#queue.clear();
    for (const cancel of this.#settling.values()) cancel();
    this.#settling.clear();
  }

  /** Leaves the request that is under way: it would keep the process alive. */
  giveUp(): void {
    this.#request?.abort(new Error("the process ends"));
  }

  /** For the end of the process: what has not been acknowledged, and what is to be sent once more. */
  unanswered(): Recording[] {
    return [...new Set([...this.#queue.unanswered(), ...this.#settling.keys()])];
  }

  get #isLimited(): boolean {
    return Date.now() < this.#limitedUntil;
  }

  #schedule(delayMs: number): void {
    const at = Math.max(Date.now() + delayMs, this.#pausedUntil, this.#limitedUntil);
    if (this.isStopped || at >= this.#timerAt) return;
    this.#cancelTimer?.();
    this.#timerAt = at;
    this.#cancelTimer = startTimer(() => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      void this.#pump();
    }, at - Date.now());
  }

  #pump(): Promise<void> {
    this.#pumping ??= this.#drain()
      .catch((error: unknown) => this.#report("internal", describeError(error)))
      .finally(() => {
        this.#pumping = undefined;
        if (this.#queue.length > 0) this.#schedule(this.#timing.batchMs);
      });
    return this.#pumping;
  }

  async #drain(): Promise<void> {
    while (!this.isStopped && !this.#isLimited && Date.now() >= this.#pausedUntil) {
      const batch = this.#takeBatch();
      if (batch.length === 0) return;
      await this.#deliver(batch);
    }
  }

  #takeBatch(): WrittenTrace[] {
    const { batchTraces, batchBytes, bodyMaxBytes } = this.#timing;
    const batch: WrittenTrace[] = [];
    let bytes = 0;
    for (const recording of [...this.#queue]) {
      if (batch.length >= batchTraces) break;
      if (batch.length > 0 && bytes + recording.weight > batchBytes) break;
      const written = this.#write(recording, bodyMaxBytes);
      if (!written) continue;
      if (batch.length > 0 && bytes + written.bytes > batchBytes) break;
      this.#queue.take(recording);
      batch.push(written);
      bytes += written.bytes + 1;
    }
    return batch;
  }

  /** What cannot be sent at all leaves the queue here. */
  #write(recording: Recording, maxBytes: number): WrittenTrace | undefined {
    try {
      const written = writeTrace(recording, maxBytes);
      if (written) return written;
      this.#lose(recording, "trace-too-large", `its decisions alone have more than ${maxBytes} bytes`);
    } catch (error) {
      this.#lose(recording, "trace-refused", describeError(error));
    }
    return undefined;
  }

  #lose(recording: Recording, code: WhytraceError["code"], message: string): void {
    this.#queue.take(recording);
    this.#queue.settle(recording);
    this.#countDropped([recording]);
    this.#report(code, `trace "${recording.trace.name}" was not sent: ${message}`, recording.trace.id);
  }

  /**
   * A batch that is refused is halved until the one at fault is found. So is one that keeps failing with 500; there
   * the trace that fails alone is lost only if another got through, else it is the server that fails.
   */
  async #deliver(batch: WrittenTrace[]): Promise<void> {
    const parts = [batch];
    const suspects: WrittenTrace[] = [];
    let isAnyTaken = false;
    for (let part = parts.shift(); part; part = parts.shift()) {
      const outcome = await this.#post(part);
      if (this.isStopped) return;
      if (outcome.kind === "taken") {
        isAnyTaken = true;
        this.#acknowledge(part, outcome.count);
      } else if (outcome.kind === "refused" || outcome.kind === "too-large") {
        parts.unshift(...this.#takeApart(part, outcome));
      } else if (outcome.kind === "failed" && this.#stumbles >= this.#timing.retries) {
        if (part.length > 1) parts.unshift(...halves(part));
        else suspects.push(...part);
      } else {
        this.#putBack([...suspects, ...part, ...parts.flat()], outcome, part);
        return;
      }
    }
    if (suspects.length === 0) return;
    const message = "the server fails with 500";
    if (!isAnyTaken) this.#putBack(suspects, { kind: "failed", message, retryAfterMs: undefined }, suspects);
    else for (const { recording } of suspects) this.#lose(recording, "trace-refused", message);
  }

  #post(part: WrittenTrace[]): Promise<Outcome> {
    const body = writeBody(part);
    const timeoutMs = this.#timing.requestMs + body.length / this.#timing.slowestBytesPerMs;
    this.#request = new AbortController();
    return postBatch(this.#settings, body, timeoutMs, this.#request);
  }

  #acknowledge(part: WrittenTrace[], count: number): void {
    this.#failures = 0;
    this.#stumbles = 0;
    this.#pausedUntil = 0;
    if (count < part.length)
      this.#report("trace-refused", `${part.length - count} trace ids belong to somebody else`);
    for (const { recording, isFinal } of part) {
      this.#queue.settle(recording);
      if (!isFinal) this.counts.snapshotsSent++;
      else if (!this.#settling.delete(recording)) this.counts.sent++;
      if (isFinal && this.#contested.delete(recording)) this.#settle(recording);
    }
  }

  #settle(recording: Recording): void {
    const cancel = startTimer(() => {
      if (this.#settling.has(recording)) this.add(recording);
    }, this.#timing.settleMs);
    this.#settling.set(recording, cancel);
  }

  #takeApart(part: WrittenTrace[], outcome: Outcome & { message: string }): WrittenTrace[][] {
    const [first, ...others] = part;
    if (!first) return [];
    if (others.length > 0) return halves(part);
    if (outcome.kind === "too-large" && first.bytes > 64 * 1_024) {
      const smaller = this.#write(first.recording, Math.floor(first.bytes / 2));
      return smaller ? [[smaller]] : [];
    }
    const code = outcome.kind === "too-large" ? "trace-too-large" : "trace-refused";
    this.#lose(first.recording, code, outcome.message);
    return [];
  }

  #putBack(
    unsent: WrittenTrace[],
    outcome: Exclude<Outcome, { kind: "taken" | "refused" | "too-large" }>,
    tried: WrittenTrace[],
  ): void {
    if (outcome.kind === "key-refused") {
      this.#report("key-refused", `the server refused the API key, nothing more is sent: ${outcome.message}`);
      this.stop();
      return;
    }
    if (outcome.kind !== "limited")
      for (const { recording, isFinal } of tried) if (!isFinal) this.#contested.add(recording);
    this.#countDropped(this.#queue.putBack(unsent.map(({ recording }) => recording)));
    const { retryMs, retryMaxMs } = this.#timing;
    const backoffMs = Math.min(retryMaxMs, retryMs * 2 ** this.#failures * (0.75 + Math.random() * 0.5));
    this.#failures++;
    this.#stumbles = outcome.kind === "failed" ? this.#stumbles + 1 : 0;
    if (outcome.kind === "limited") {
      this.#limitedUntil = Date.now() + (outcome.retryAfterMs ?? backoffMs);
      this.#countDropped(this.#queue.dropRunning());
      this.#report("rate-limited", outcome.message);
    } else {
      this.#pausedUntil = Date.now() + Math.max(backoffMs, Math.min(outcome.retryAfterMs ?? 0, retryMaxMs));
      this.#report("unreachable", `${this.#settings.endpoint}: ${outcome.message}`);
    }
  }

  #countDropped(dropped: Recording[]): void {
    for (const recording of dropped) {
      if (!recording.isFinal) this.counts.snapshotsDropped++;
      else if (!this.#settling.delete(recording)) this.counts.dropped++;
    }
  }
}

function halves<T>(part: T[]): T[][] {
  const middle = Math.ceil(part.length / 2);
  return [part.slice(0, middle), part.slice(middle)];
}

/** Waits no longer than it may; unlike the sender's own timers this one keeps the process alive. */
async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([
    work,
    new Promise((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    }),
  ]);
  clearTimeout(timer);
}
