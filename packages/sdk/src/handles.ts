import { alternativesTo, choose, type ResolvedChoice } from "./choose.ts";
import type { Client } from "./client.ts";
import { type Context, runInContext } from "./global-state.ts";
import type { SpanPayload } from "./payload.ts";
import type { Recording } from "./recording.ts";
import { describeError } from "./send/to-json.ts";
import type {
  Decision,
  DecisionPointType,
  EventOptions,
  Scope,
  ScoreOptions,
  ScoreValue,
  SpanFields,
  SpanHandle,
  SpanOptions,
  TraceFields,
  TraceHandle,
} from "./types.ts";

/*
 * The objects that users hold. A handle without a recording only runs the user's functions. Errors while recording are
 * reported, never thrown.
 */

abstract class Handle implements Scope {
  abstract readonly id: string;
  abstract readonly context: Context;
  readonly traceId: string;
  readonly recording: Recording | undefined;
  readonly client: Client;

  constructor(client: Client, recording: Recording | undefined) {
    this.client = client;
    this.recording = recording;
    this.traceId = recording?.trace.id ?? "";
  }

  get traceparent(): string | undefined {
    return this.recording?.format.traceparent?.(this.spanId);
  }

  /** Parent of the spans, decisions and events recorded through this handle. */
  protected abstract get spanId(): string | undefined;

  span(name: string, options?: SpanOptions): SpanHandle;
  span<T>(name: string, run: (span: SpanHandle) => T): Promise<Awaited<T>>;
  span<T>(name: string, options: SpanOptions, run: (span: SpanHandle) => T): Promise<Awaited<T>>;
  span<T>(
    name: string,
    given: SpanOptions | ((span: SpanHandle) => T) = {},
    run?: (span: SpanHandle) => T,
  ): SpanHandle | Promise<Awaited<T>> {
    const work = typeof given === "function" ? given : run;
    const options = typeof given === "function" ? {} : given;
    const span = this.#open(name, work ? { keepsTraceOpen: true, ...options } : options);
    return work ? runHandle(span, options, work) : span;
  }

  async decide<Option>(type: DecisionPointType, decision: Decision<Option>): Promise<Option> {
    let made: ResolvedChoice<Option>;
    try {
      // Without `choose` there is no await, so that the decision is recorded before the caller can end the trace.
      made = "choose" in decision ? await choose(decision) : decision;
    } catch (error) {
      this.event(`${type} failed`, { type: "ERROR", metadata: { error: describeError(error) } });
      throw error;
    }
    this.reportErrors(() => {
      const alternatives = alternativesTo(decision.options, made.chosen);
      this.recording?.addDecision({ ...made, type, alternatives }, this.spanId);
    });
    return made.chosen;
  }

  run<T>(work: () => T): T {
    return runInContext(this.context, work);
  }

  event(name: string, options: EventOptions = {}): void {
    this.reportErrors(() => this.recording?.addEvent(name, options, this.spanId));
  }

  score(name: string, value: ScoreValue, options: ScoreOptions = {}): void {
    this.reportErrors(() => this.recording?.addScore(name, value, { spanId: this.spanId, ...options }));
  }

  protected reportErrors(work: () => void): void {
    this.client.reportErrors(work, this.traceId);
  }

  #open(name: string, options: SpanOptions): RecordedSpan {
    let payload: SpanPayload | undefined;
    this.reportErrors(() => {
      payload = this.recording?.startSpan(name, options, this.spanId);
    });
    return new RecordedSpan(this.client, payload && this.recording, payload, this.context.trace);
  }
}

export class RecordedTrace extends Handle implements TraceHandle {
  readonly context: Context = { trace: this, scope: this };
  #endedMs: number | undefined;

  get id(): string {
    return this.traceId;
  }

  protected get spanId(): undefined {
    return undefined;
  }

  set(fields: TraceFields): void {
    this.reportErrors(() => this.recording?.setTrace(fields));
  }

  end(fields: TraceFields = {}): void {
    this.#endedMs ??= performance.now();
    if (this.recording?.endStatus) return;
    this.set(fields);
    this.reportErrors(() => this.recording?.end("COMPLETED"));
  }

  fail(error: unknown, fields: TraceFields = {}): void {
    this.#endedMs ??= performance.now();
    if (this.recording?.endStatus === "ERROR") return;
    this.set(fields);
    this.reportErrors(() => {
      this.recording?.addEvent(nameOfError(error), { type: "ERROR", metadata: { error } }, undefined);
      this.recording?.end("ERROR");
    });
  }

  /** Code that still runs in the context of a trace that ended long ago does not belong to the trace. */
  get isOver(): boolean {
    return this.#endedMs !== undefined && performance.now() - this.#endedMs > this.client.maxLingerMs;
  }
}

class RecordedSpan extends Handle implements SpanHandle {
  readonly id: string;
  readonly context: Context;
  hasOutput = false;
  readonly #payload: SpanPayload | undefined;

  constructor(
    client: Client,
    recording: Recording | undefined,
    payload: SpanPayload | undefined,
    trace: Context["trace"],
  ) {
    super(client, recording);
    this.#payload = payload;
    this.id = payload?.id ?? "";
    this.context = { trace, scope: this };
  }

  protected get spanId(): string | undefined {
    return this.#payload?.id;
  }

  set(fields: SpanFields): void {
    if (fields.output !== undefined) this.hasOutput = true;
    this.reportErrors(() => this.#payload && this.recording?.setSpan(this.#payload, fields));
  }

  end(fields: SpanFields = {}): void {
    this.set(fields);
    this.reportErrors(() => this.#payload && this.recording?.endSpan(this.#payload, "COMPLETED"));
  }

  fail(error: unknown, fields: SpanFields = {}): void {
    this.set(fields);
    this.reportErrors(
      () =>
        this.#payload &&
        this.recording?.endSpan(this.#payload, "ERROR", fields.statusMessage ?? describeError(error)),
    );
  }
}

/** A span outside any trace gets its own trace, which ends when the span ends. */
export class StandaloneSpan extends RecordedSpan {
  override end(fields: SpanFields = {}): void {
    super.end(fields);
    this.context.trace.end();
  }

  override fail(error: unknown, fields: SpanFields = {}): void {
    super.fail(error, fields);
    this.context.trace.fail(error);
  }
}

interface Runnable {
  readonly context: Context;
  readonly hasOutput?: boolean;
  end(fields: SpanFields): void;
  fail(error: unknown): void;
}

/** Runs a function as a trace or span, which ends with it. */
export async function runHandle<T, Given extends Runnable>(
  handle: Given,
  options: SpanOptions,
  run: (handle: Given) => T,
): Promise<Awaited<T>> {
  let result: Awaited<T>;
  try {
    result = await runInContext(handle.context, () => run(handle));
  } catch (error) {
    handle.fail(error);
    throw error;
  }
  handle.end(options.captureOutput === false || handle.hasOutput ? {} : { output: result });
  return result;
}

const nameOfError = (error: unknown) => (error instanceof Error && error.name) || "Error";
