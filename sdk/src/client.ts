import { readSettings, type Settings } from "./config.ts";
import { type ExitHandlers, installExitHooks } from "./exit-hooks.ts";
import { isSampled } from "./is-sampled.ts";
import { Recording, sanitizeId } from "./recording.ts";
import { sendSynchronously } from "./send-synchronously.ts";
import { Sender } from "./sender.ts";
import { type SerializedTrace, serializeBatch, serializeTrace } from "./serialize-trace.ts";
import { describeError } from "./to-json.ts";
import { TUNING, type Tuning } from "./tuning.ts";
import type { InitOptions, Stats, TraceOptions, WhytraceError } from "./types.ts";
import { startUnrefTimer } from "./unref-timer.ts";

/** Limits memory use if a program never ends its traces. */
const MAX_OPEN_TRACES = 1_000;

/** Records and sends traces with one configuration. No method throws into the user's code. */
export class Client {
  readonly settings: Settings;
  readonly #tuning: Tuning;
  readonly #sender: Sender;
  /** Running traces and their last snapshots. A trace outside the sample is sent only if it fails. */
  readonly #open = new Map<
    Recording,
    { isInSample: boolean; lastSnapshot?: { ageMs: number; weight: number } }
  >();
  readonly #warnedCodes = new Set<string>();
  #cancelSweep: (() => void) | undefined;
  #removeHooks: (() => void) | undefined;
  #sampledOut = 0;
  #lastError: WhytraceError | undefined;
  #uncaughtError: string | undefined;
  /** An unreachable server may delay the exit of an idle process only once. */
  #hasFlushedOnIdle = false;
  #isRetired = false;

  constructor(options: InitOptions = {}, tuning: Partial<Tuning> = {}) {
    this.settings = readSettings(options);
    this.#tuning = { ...TUNING, ...tuning };
    this.#sender = new Sender(this.settings, this.#tuning, (code, message, traceId) =>
      this.report(code, message, { traceId }),
    );
    for (const error of this.settings.errors) this.report("bad-setting", error);
    if (this.settings.isEnabled && !this.settings.apiKey)
      this.report("no-key", "nothing is recorded: set WHYTRACE_API_KEY or call init({ apiKey })");
  }

  get isRecording(): boolean {
    return this.settings.isEnabled && this.settings.apiKey !== undefined && !this.#sender.isStopped;
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
        this.report("redact-failed", `${message}: the field was omitted`, { traceId, cause }),
      onFinal: () => this.#finish(recording, isInSample),
    });
    this.#trackOpen(recording, isInSample);
    if (this.settings.exitHooks !== false) this.#removeHooks ??= installExitHooks(this.#exitHandlers());
    return recording;
  }

  flush(timeoutMs = this.#tuning.flushTimeoutMs): Promise<boolean> {
    return this.#sender.flush(timeoutMs);
  }

  async shutdown(timeoutMs = this.#tuning.flushTimeoutMs): Promise<boolean> {
    this.#failOpenTraces("shut down before the trace ended");
    const isAllSent = await this.flush(timeoutMs);
    this.#sender.stop();
    this.#cancelSweep?.();
    this.#removeHooks?.();
    return isAllSent;
  }

  /** Another client has replaced this one, which shuts down once its open traces have ended. */
  retire(): void {
    this.#isRetired = true;
    if (this.#open.size === 0) void this.shutdown();
  }

  stats(): Stats {
    return {
      ...this.#sender.counts,
      sampledOut: this.#sampledOut,
      queued: this.#sender.queued,
      open: this.#open.size,
      lastError: this.#lastError,
    };
  }

  /** Without `onError`, each error code is logged once; with `debug`, every error is logged. */
  report(
    code: WhytraceError["code"],
    message: string,
    { traceId, cause }: { traceId?: string | undefined; cause?: unknown } = {},
  ): void {
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
      this.report("internal", describeError(cause), { traceId, cause });
      return undefined;
    }
  }

  #finish(recording: Recording, isInSample: boolean): void {
    this.#open.delete(recording);
    this.#queueFinal(recording, isInSample);
    if (this.#isRetired) this.retire();
  }

  #queueFinal(recording: Recording, isInSample: boolean): void {
    if (!isInSample && recording.trace.status !== "ERROR") {
      this.#sampledOut++;
      return;
    }
    this.#sender.add(recording);
    const waitUntil = recording.waitUntil ?? this.settings.waitUntil;
    try {
      // A frozen serverless function runs no timers, so the trace is sent immediately.
      waitUntil?.(this.flush());
    } catch (error) {
      this.report("misuse", `waitUntil threw: ${describeError(error)}`);
    }
  }

  #trackOpen(recording: Recording, isInSample: boolean): void {
    this.#open.set(recording, { isInSample });
    const [oldest] = this.#open.keys();
    if (this.#open.size > MAX_OPEN_TRACES && oldest) this.#open.delete(oldest);
    this.#cancelSweep ??= startUnrefTimer(() => this.#sweep(), this.#tuning.sweepIntervalMs);
  }

  /** Queues a snapshot of each trace that has run long enough, and another once the trace has grown enough. */
  #sweep(): void {
    this.#cancelSweep = undefined;
    const { firstSnapshotMs, snapshotIntervalMs, minSnapshotGrowth, sweepIntervalMs } = this.#tuning;
    for (const [recording, state] of this.#open) {
      const { ageMs, weight } = recording;
      const { lastSnapshot: last } = state;
      const isDue = last
        ? ageMs - last.ageMs >= snapshotIntervalMs && weight >= last.weight * minSnapshotGrowth
        : ageMs >= firstSnapshotMs;
      if (!isDue || !state.isInSample) continue;
      state.lastSnapshot = { ageMs, weight };
      this.#sender.add(recording);
    }
    if (this.#open.size > 0 && this.isRecording)
      this.#cancelSweep = startUnrefTimer(() => this.#sweep(), sweepIntervalMs);
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
        if (this.#sender.queued === 0 || this.#hasFlushedOnIdle) return;
        this.#hasFlushedOnIdle = true;
        void this.flush().then((isAllSent) => {
          this.#hasFlushedOnIdle = !isAllSent;
          if (!isAllSent) this.#sender.abortRequest();
        });
      },
      onSignal: async (signal: string) => {
        this.#failOpenTraces(`the process was ended by ${signal}`);
        await this.flush();
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
    if (!this.isRecording || this.#hasFlushedOnIdle) return;
    const { maxBodyBytes, maxBatchBytes, flushTimeoutMs } = this.#tuning;
    const bodies: string[] = [];
    let batch: SerializedTrace[] = [];
    let bytes = 0;
    for (const recording of this.#sender.unacknowledged()) {
      const serialized = trySerialize(recording, maxBodyBytes);
      if (!serialized) continue;
      if (batch.length > 0 && bytes + serialized.bytes > maxBatchBytes) {
        bodies.push(serializeBatch(batch));
        [batch, bytes] = [[], 0];
      }
      batch.push(serialized);
      bytes += serialized.bytes;
    }
    if (batch.length > 0) bodies.push(serializeBatch(batch));
    if (bodies.length > 0) sendSynchronously(this.settings, bodies, flushTimeoutMs);
  }
}

/** Skips a trace that cannot be serialized: at exit, the others still have to be sent. */
function trySerialize(recording: Recording, maxBytes: number): SerializedTrace | undefined {
  try {
    return serializeTrace(recording, maxBytes);
  } catch {
    return undefined;
  }
}

/** 128 random bits. Browsers offer randomUUID only in secure contexts. */
function randomId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
