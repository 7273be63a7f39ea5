import { readSettings, type Settings } from "./config.ts";
import { installExitHooks } from "./exit-hooks.ts";
import { idText, Recording } from "./recording.ts";
import { isSampled } from "./sample.ts";
import { sendSynchronously } from "./send-synchronously.ts";
import { Sender } from "./sender.ts";
import { startTimer } from "./timer.ts";
import { TIMING, type Timing } from "./timing.ts";
import { describeError } from "./to-json.ts";
import type { InitOptions, Stats, TraceOptions, WhytraceError } from "./types.ts";
import { writeBody, writeTrace } from "./write-trace.ts";

/** Open traces that snapshots are taken of; a program that never ends its traces must not fill memory with them. */
const OPEN_MAX = 1_000;

/** Recording and sending with one configuration. Nothing in here throws into the user's code. */
export class Client {
  readonly settings: Settings;
  readonly #timing: Timing;
  readonly #sender: Sender;
  /** Running traces, with what was last sent of each; one outside the sample is sent only if it fails. */
  readonly #open = new Map<Recording, { isInSample: boolean; last?: { atMs: number; weight: number } }>();
  readonly #warned = new Set<string>();
  #cancelSweep: (() => void) | undefined;
  #removeHooks: (() => void) | undefined;
  #sampledOut = 0;
  #lastError: WhytraceError | undefined;
  #uncaught: string | undefined;
  /** A dead server must not keep an idle process alive for more than one try. */
  #isIdleTried = false;
  #isRetired = false;

  constructor(options: InitOptions = {}, timing: Partial<Timing> = {}) {
    this.settings = readSettings(options);
    this.#timing = { ...TIMING, ...timing };
    this.#sender = new Sender(this.settings, this.#timing, (code, message, traceId) =>
      this.report(code, message, { traceId }),
    );
    for (const fault of this.settings.faults) this.report("bad-setting", fault);
    if (this.settings.isEnabled && !this.settings.apiKey)
      this.report("no-key", "nothing is recorded: set WHYTRACE_API_KEY or call init({ apiKey })");
  }

  get isRecording(): boolean {
    return this.settings.isEnabled && this.settings.apiKey !== undefined && !this.#sender.isStopped;
  }

  /** Undefined when this trace is not to be recorded. */
  start(name: string, options: TraceOptions): Recording | undefined {
    if (!this.isRecording) return undefined;
    const { sampleRate, keepErrors, redact } = this.settings;
    const id = idText(options.id ?? "") || randomId();
    const isInSample = isSampled(id, sampleRate);
    if (!isInSample && !keepErrors) {
      this.#sampledOut++;
      return undefined;
    }
    const recording = new Recording(id, name, options, {
      redact,
      onRedactFailure: (failure, traceId) =>
        this.report("redact-failed", `${failure.message}: the field was left out`, {
          traceId,
          cause: failure.cause,
        }),
      onFinal: () => this.#finish(recording, isInSample),
    });
    this.#watch(recording, isInSample);
    if (this.settings.exitHooks !== false) this.#removeHooks ??= installExitHooks(this.#exitWork());
    return recording;
  }

  flush(timeoutMs = this.#timing.flushMs): Promise<boolean> {
    return this.#sender.flush(timeoutMs);
  }

  async shutdown(timeoutMs = this.#timing.flushMs): Promise<boolean> {
    this.#interrupt("shut down before it ended");
    const isAllSent = await this.flush(timeoutMs);
    this.#sender.stop();
    this.#cancelSweep?.();
    this.#removeHooks?.();
    return isAllSent;
  }

  /** Another configuration has taken over: what is open may still end, then this one is done. */
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

  /** Without onError the console hears of each kind of fault once, with debug every time. */
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
      // There is nobody left to tell.
    }
    if (isDebug || (!onError && !this.#warned.has(code))) console.warn(`whytrace: ${message}`);
    this.#warned.add(code);
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
      // A frozen process runs no timers: here the trace goes at once.
      waitUntil?.(this.flush());
    } catch (error) {
      this.report("misuse", `waitUntil threw: ${describeError(error)}`);
    }
  }

  #watch(recording: Recording, isInSample: boolean): void {
    this.#open.set(recording, { isInSample });
    const [oldest] = this.#open.keys();
    if (this.#open.size > OPEN_MAX && oldest) this.#open.delete(oldest);
    this.#cancelSweep ??= startTimer(() => this.#sweep(), this.#timing.sweepMs);
  }

  /** The server sees a long trace while it runs: after 3 s, then when it has grown, but not too often. */
  #sweep(): void {
    this.#cancelSweep = undefined;
    const { firstSnapshotMs, nextSnapshotMs, snapshotGrowth, sweepMs } = this.#timing;
    for (const [recording, state] of this.#open) {
      const { ageMs, weight } = recording;
      const { last } = state;
      const isDue = last
        ? ageMs - last.atMs >= nextSnapshotMs && weight >= last.weight * snapshotGrowth
        : ageMs >= firstSnapshotMs;
      if (!isDue || !state.isInSample) continue;
      state.last = { atMs: ageMs, weight };
      this.#sender.add(recording);
    }
    if (this.#open.size > 0 && this.isRecording) this.#cancelSweep = startTimer(() => this.#sweep(), sweepMs);
  }

  /** What runs when the process ends has failed, and says why. */
  #interrupt(reason: string): void {
    for (const recording of [...this.#open.keys()]) {
      recording.addEvent(reason, { type: "ERROR" }, undefined);
      recording.finish("ERROR", reason);
    }
  }

  #exitWork() {
    return {
      onIdle: () => {
        if (this.#sender.queued === 0 || this.#isIdleTried) return;
        this.#isIdleTried = true;
        void this.flush().then((isAllSent) => {
          this.#isIdleTried = !isAllSent;
          if (!isAllSent) this.#sender.giveUp();
        });
      },
      onSignal: async (signal: string) => {
        this.#interrupt(`the process was ended by ${signal}`);
        await this.flush();
      },
      onUncaught: (error: unknown) => {
        this.#uncaught = describeError(error);
      },
      onExit: () => {
        this.#interrupt(
          this.#uncaught === undefined
            ? "the process ended before it did"
            : `the process was ended by an uncaught error: ${this.#uncaught}`,
        );
        this.#sendLast();
      },
    };
  }

  #sendLast(): void {
    // A server that was just asked in vain must not hold the process up a second time.
    if (!this.isRecording || this.#isIdleTried) return;
    const { bodyMaxBytes, batchBytes, flushMs } = this.#timing;
    const bodies: string[] = [];
    let batch: Parameters<typeof writeBody>[0] = [];
    let bytes = 0;
    for (const recording of this.#sender.unanswered()) {
      const written = safely(() => writeTrace(recording, bodyMaxBytes));
      if (!written) continue;
      if (batch.length > 0 && bytes + written.bytes > batchBytes) {
        bodies.push(writeBody(batch));
        [batch, bytes] = [[], 0];
      }
      batch.push(written);
      bytes += written.bytes;
    }
    if (batch.length > 0) bodies.push(writeBody(batch));
    if (bodies.length > 0) sendSynchronously(this.settings, bodies, flushMs);
  }
}

function safely<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** 128 random bits; browsers have randomUUID on secure pages only. */
function randomId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
