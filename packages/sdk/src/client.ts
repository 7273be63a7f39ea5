import { readSettings, type Settings } from "./config.ts";
import { isSampled } from "./is-sampled.ts";
import { randomId } from "./random-id.ts";
import { sanitizeId } from "./record-fields.ts";
import { Recording } from "./recording.ts";
import { createScore, type Score } from "./send/create-score.ts";
import { type ExitHandlers, installExitHooks } from "./send/exit-hooks.ts";
import { sendSynchronously } from "./send/send-synchronously.ts";
import { type Report, Sender } from "./send/sender.ts";
import { describeError, RedactError } from "./send/to-json.ts";
import { startUnrefTimer } from "./send/unref-timer.ts";
import { TUNING, type Tuning } from "./tuning.ts";
import type { InitOptions, ScoreArguments, Stats, TraceOptions, WaitUntil, WhytraceError } from "./types.ts";

/** Limits memory use if a program never ends its traces. */
const MAX_OPEN_TRACES = 1_000;

interface TraceState {
  /** A trace outside the sample is sent only if it fails or gets a bad score before its end. */
  isInSample: boolean;
  isSampledOut: boolean;
  /** They wait until the trace is queued. A server takes as many of a trace as of a request. */
  scores: Score[];
  lastSnapshot?: { ageMs: number; weight: number };
  /** Resolves the promise given to `waitUntil` for a trace that has ended but is kept open. */
  onSent?: ((sent: Promise<unknown>) => void) | undefined;
}

/** Records and sends traces with one configuration. No method throws into the user's code. */
export class Client {
  readonly settings: Settings;
  readonly #tuning: Tuning;
  readonly #sender: Sender;
  readonly #scores: Sender;
  /** Running traces. */
  readonly #open = new Map<Recording, TraceState>();
  readonly #warnedCodes = new Set<string>();
  #cancelSweep: (() => void) | undefined;
  #removeHooks: (() => void) | undefined;
  #sampledOut = 0;
  #untracked = 0;
  #lastError: WhytraceError | undefined;
  #uncaughtError: string | undefined;
  /** An unreachable server may delay the exit of an idle process only once. */
  #hasFlushedOnIdle = false;
  #isRetired = false;

  constructor(options: InitOptions = {}, tuning: Partial<Tuning> = {}) {
    this.settings = readSettings(options);
    this.#tuning = { ...TUNING, ...tuning };
    const report: Report = (...error) => this.report(...error);
    this.#sender = new Sender(this.settings, this.#tuning, report);
    this.#scores = new Sender(this.settings, this.#tuning, report, this.#sender);
    for (const error of this.settings.errors) this.report("bad-setting", error);
    if (this.settings.isEnabled && !this.settings.apiKey)
      this.report("no-key", "nothing is recorded: set WHYTRACE_API_KEY or call init({ apiKey })");
  }

  /** Whether new traces are recorded. */
  get isRecording(): boolean {
    const { isEnabled, apiKey } = this.settings;
    return isEnabled && apiKey !== undefined && !this.#sender.isStopped && !this.#isRetired;
  }

  /** Whether a client with these settings would do the same as this one. */
  isLike(settings: Settings): boolean {
    const fields = Object.keys({ ...this.settings, ...settings }) as (keyof Settings)[];
    return (
      this.isRecording &&
      fields.every((field) => field === "errors" || this.settings[field] === settings[field])
    );
  }

  /** Returns undefined if the trace is not recorded: recording is off, or sampling excludes the trace. */
  start(name: string, options: TraceOptions): Recording | undefined {
    if (!this.isRecording) return undefined;
    const { sampleRate, keepErrors, redact } = this.settings;
    const id = sanitizeId(options.id ?? "") || randomId();
    const isInSample = isSampled(id, sampleRate);
    if (!isInSample && !keepErrors) {
      this.#sampledOut++;
      return undefined;
    }
    const recording = new Recording(id, name, options, {
      redact,
      onRedactError: ({ message, cause }, traceId) =>
        this.report("redact-failed", `${message}: the field was omitted`, traceId, cause),
      onLinger: () => {
        this.#trackOpen(recording, state);
        this.#waitUntil(
          recording.waitUntil,
          () =>
            new Promise((resolve) => {
              state.onSent = resolve;
            }),
        );
      },
      onFinal: () => this.#finish(recording, state),
      addScore: (...given) => this.#addScore(recording, state, createScore(redact, id, ...given)),
    });
    const state: TraceState = { isInSample, isSampledOut: false, scores: [] };
    this.#trackOpen(recording, state);
    return recording;
  }

  /** Judges a trace by its id: one that runs here, one that has ended, or one of another process. */
  score(traceId: string, ...given: ScoreArguments): void {
    const { sampleRate, redact } = this.settings;
    const running = [...this.#open.keys()].find((one) => one.traceId === traceId);
    if (running) running.addScore(...given);
    // A trace that is not recorded has the id "".
    else if (this.isRecording && traceId && isSampled(traceId, sampleRate))
      this.#sendScores([createScore(redact, traceId, ...given)]);
  }

  reportOutside(what: string, name: string): void {
    if (this.isRecording)
      this.report("misuse", `${what} "${name}" was not recorded: it is outside any trace`);
  }

  get maxLingerMs(): number {
    return this.#tuning.maxLingerMs;
  }

  async flush(timeoutMs = this.#tuning.flushTimeoutMs): Promise<boolean> {
    const deadline = Date.now() + timeoutMs;
    const areTracesSent = await this.#sender.flush(timeoutMs);
    return (await this.#scores.flush(deadline - Date.now())) && areTracesSent;
  }

  async shutdown(timeoutMs = this.#tuning.flushTimeoutMs): Promise<boolean> {
    this.#failOpenTraces("shut down before the trace ended");
    const isAllSent = await this.flush(timeoutMs);
    this.#sender.stop();
    this.#scores.stop();
    this.#cancelSweep?.();
    this.#removeHooks?.();
    return isAllSent;
  }

  /** Another client has replaced this one, which still sends the traces that it has recorded. */
  retire(): void {
    this.#isRetired = true;
    this.#watch();
  }

  stats(): Stats {
    const { sent, dropped } = this.#scores.counts;
    return {
      ...this.#sender.counts,
      sampledOut: this.#sampledOut,
      queued: this.#sender.queued,
      scores: { sent, dropped, queued: this.#scores.queued },
      open: this.#open.size,
      untracked: this.#untracked,
      lastError: this.#lastError,
    };
  }

  /** Without `onError`, each error code is logged once; with `debug`, every error is logged. */
  report(code: WhytraceError["code"], message: string, traceId?: string, cause?: unknown): void {
    const error: WhytraceError = {
      code,
      message,
      ...(traceId && { traceId }),
      ...(cause !== undefined && { cause }),
    };
    this.#lastError = error;
    const { onError, isDebug } = this.settings;
    try {
      onError?.(error);
    } catch {
      // An error in the user's error handler has no handler.
    }
    if (isDebug || (!onError && !this.#warnedCodes.has(code))) console.warn(`whytrace: ${message}`);
    this.#warnedCodes.add(code);
  }

  /** Runs `work` and reports an error instead of throwing it. */
  reportErrors<T>(work: () => T, traceId?: string): T | undefined {
    try {
      return work();
    } catch (cause) {
      const code = cause instanceof RedactError ? "redact-failed" : "internal";
      this.report(code, describeError(cause), traceId, cause);
      return undefined;
    }
  }

  #finish(recording: Recording, state: TraceState): void {
    this.#open.delete(recording);
    this.#queueFinal(recording, state);
    if (this.#sender.isStopped && recording.revision > 1)
      this.report(
        "misuse",
        `trace "${recording.name}" changed after recording had stopped: not sent`,
        recording.traceId,
      );
    if (this.#isRetired) this.#watch();
  }

  #queueFinal(recording: Recording, state: TraceState): void {
    const { onSent, isSampledOut } = state;
    state.onSent = undefined;
    const isBad = recording.trace.status === "ERROR" || state.scores.some(({ isFailing }) => isFailing);
    state.isSampledOut = !state.isInSample && !isBad;
    this.#sampledOut += Number(state.isSampledOut) - Number(isSampledOut);
    if (!state.isSampledOut) this.#queue(recording, state, isBad);
    if (onSent) onSent(this.flush());
    else if (!state.isSampledOut) this.#waitUntil(recording.waitUntil, () => this.flush());
  }

  /** Scores follow their trace. */
  #queue(recording: Recording, { scores }: TraceState, isBad?: boolean): void {
    const { sampleRate, keepErrors } = this.settings;
    const { trace } = recording;
    // A bad trace is kept whether or not it is in the sample.
    if (sampleRate < 1)
      trace.sampleProbability = isBad && keepErrors ? 1 : (trace.sampleProbability ?? sampleRate);
    this.#sender.add(recording);
    for (const score of scores.splice(0)) this.#scores.add(score);
  }

  /** The score of a running trace waits until the trace is queued, and that of a trace outside the sample with it. */
  #addScore({ isFinal, waitUntil }: Recording, { scores, isSampledOut }: TraceState, score: Score): void {
    if (scores.length < this.#tuning.maxBatch.score) scores.push(score);
    else this.#scores.counts.dropped++;
    if (isFinal && !isSampledOut) this.#sendScores(scores.splice(0), waitUntil);
  }

  #sendScores(scores: Score[], waitUntil?: WaitUntil): void {
    for (const score of scores) this.#scores.add(score);
    this.#watch();
    this.#waitUntil(waitUntil, () => this.flush());
  }

  /** A frozen serverless function runs no timers, so the trace is sent immediately. */
  #waitUntil(given: WaitUntil | undefined, work: () => Promise<unknown>): void {
    const waitUntil = given ?? this.settings.waitUntil;
    try {
      waitUntil?.(work());
    } catch (error) {
      this.report("misuse", `waitUntil threw: ${describeError(error)}`);
    }
  }

  #trackOpen(recording: Recording, state: TraceState): void {
    this.#open.set(recording, state);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MAX_OPEN_TRACES && oldest) {
      this.#open.delete(oldest);
      this.#untracked++;
      this.report(
        "too-many-open",
        `more than ${MAX_OPEN_TRACES} traces are open, is their end missing? The oldest are sent only if they end`,
      );
    }
    this.#watch();
  }

  /** Until nothing is left to do. */
  #watch(): void {
    if (this.#sender.isStopped) return;
    this.#cancelSweep ??= startUnrefTimer(() => this.#sweep(), this.#tuning.sweepIntervalMs);
    if (this.settings.exitHooks !== false) this.#removeHooks ??= installExitHooks(this.#exitHandlers());
  }

  /** Queues a snapshot of each trace that has run long enough, and another once the trace has grown enough. */
  #sweep(): void {
    this.#cancelSweep = undefined;
    const { firstSnapshotMs, snapshotIntervalMs, minSnapshotGrowth } = this.#tuning;
    for (const [recording, state] of [...this.#open]) {
      const { ageMs, weight } = recording;
      if (recording.lingerMs > this.maxLingerMs) {
        recording.finish();
        continue;
      }
      const { lastSnapshot: last } = state;
      const isDue = last
        ? ageMs - last.ageMs >= snapshotIntervalMs && weight >= last.weight * minSnapshotGrowth
        : ageMs >= firstSnapshotMs;
      if (!isDue || !state.isInSample) continue;
      state.lastSnapshot = { ageMs, weight };
      this.#queue(recording, state);
    }
    const unsent = this.#sender.size + this.#scores.size;
    if (this.#open.size > 0 || (this.#isRetired && unsent > 0)) this.#watch();
    else if (this.#isRetired) {
      this.#removeHooks?.();
      this.#removeHooks = undefined;
    }
  }

  #failOpenTraces(reason: string): void {
    for (const recording of [...this.#open.keys()]) {
      recording.addEvent(reason, { type: "ERROR" }, undefined);
      recording.finish("ERROR", reason);
    }
  }

  #exitHandlers(): ExitHandlers {
    return {
      onIdle: () => {
        if (this.#sender.queued + this.#scores.queued === 0 || this.#hasFlushedOnIdle) return;
        this.#hasFlushedOnIdle = true;
        void this.flush().then((isAllSent) => {
          this.#hasFlushedOnIdle = !isAllSent;
          if (isAllSent) return;
          this.#sender.abortRequest();
          this.#scores.abortRequest();
        });
      },
      onSignal: () => {
        for (const [recording, state] of this.#open) if (state.isInSample) this.#queue(recording, state);
        void this.flush();
      },
      onEndingSignal: (signal: string) => {
        this.#failOpenTraces(`the process was ended by ${signal}`);
        return this.flush();
      },
      onUncaught: (error: unknown) => {
        this.#uncaughtError = describeError(error);
      },
      onExit: () => {
        this.#failOpenTraces(
          this.#uncaughtError === undefined
            ? "the process exited before the trace ended"
            : `the process was ended by an uncaught error: ${this.#uncaughtError}`,
        );
        this.#sendSynchronously();
      },
    };
  }

  #sendSynchronously(): void {
    // If flushing on idle has just failed, the server must not delay the exit a second time.
    if (this.#sender.isStopped || this.#hasFlushedOnIdle) return;
    const batches = [...this.#sender.takeAll(), ...this.#scores.takeAll()];
    if (batches.length > 0) sendSynchronously(this.settings, batches, this.#tuning.flushTimeoutMs);
  }
}
