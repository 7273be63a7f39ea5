import type { Client } from "./client.ts";
import { alternativesTo, type Chosen, choose } from "./decide.ts";
import { type Place, runIn } from "./global-state.ts";
import type { SpanPayload } from "./payload.ts";
import type { Recording } from "./recording.ts";
import { describeError } from "./to-json.ts";
import type {
  Decision,
  DecisionPointType,
  EventOptions,
  Scope,
  SpanFields,
  SpanHandle,
  SpanOptions,
  TraceFields,
  TraceHandle,
} from "./types.ts";

/*
 * What the user holds. Without a recording a handle does nothing but run the user's functions; and whatever goes wrong
 * in recording is reported, not thrown.
 */

abstract class Handle implements Scope {
  abstract readonly id: string;
  abstract readonly place: Place;
  readonly traceId: string;
  protected readonly recording: Recording | undefined;
  readonly #client: Client;

  constructor(client: Client, recording: Recording | undefined) {
    this.#client = client;
    this.recording = recording;
    this.traceId = recording?.trace.id ?? "";
  }

  /** The span that things recorded here belong to. */
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
    const span = this.#open(name, options);
    return work ? runSpan(span, options, work) : span;
  }

  async decide<Option>(type: DecisionPointType, decision: Decision<Option>): Promise<Option> {
    let made: Chosen<Option>;
    try {
      // A decision already made is recorded at once: the trace may end before the next await.
      made = "choose" in decision ? await choose(decision) : decision;
    } catch (error) {
      this.event(`${type} failed`, { type: "ERROR", metadata: { error: describeError(error) } });
      throw error;
    }
    const { chosen, reasoning, contextSnapshot, costUsd, durationMs } = made;
    this.safely(() => {
      const alternatives = alternativesTo(decision.options, chosen);
      const details = {
        reasoning,
        contextSnapshot,
        costUsd,
        ...(durationMs !== undefined && { durationMs }),
      };
      this.recording?.addDecision({ ...details, type, chosen, alternatives }, this.spanId);
    });
    return chosen;
  }

  event(name: string, options: EventOptions = {}): void {
    this.safely(() => this.recording?.addEvent(name, options, this.spanId));
  }

  protected safely(work: () => void): void {
    try {
      work();
    } catch (cause) {
      this.#client.report("internal", describeError(cause), { traceId: this.traceId, cause });
    }
  }

  #open(name: string, options: SpanOptions): RecordedSpan {
    let payload: SpanPayload | undefined;
    this.safely(() => {
      payload = this.recording?.startSpan(name, options, this.spanId);
    });
    return new RecordedSpan(this.#client, payload && this.recording, payload, this.place.trace);
  }
}

export class RecordedTrace extends Handle implements TraceHandle {
  readonly place: Place = { trace: this, scope: this };

  get id(): string {
    return this.traceId;
  }

  protected get spanId(): undefined {
    return undefined;
  }

  set(fields: TraceFields): void {
    this.safely(() => this.recording?.setTrace(fields));
  }

  end(fields: TraceFields = {}): void {
    this.set(fields);
    this.safely(() => this.recording?.finish("COMPLETED"));
  }

  fail(error: unknown, fields: TraceFields = {}): void {
    this.set(fields);
    this.safely(() => {
      if (this.recording?.isFinal) return;
      this.recording?.addEvent(nameOfError(error), { type: "ERROR", metadata: { error } }, undefined);
      this.recording?.finish("ERROR");
    });
  }
}

export class RecordedSpan extends Handle implements SpanHandle {
  readonly id: string;
  readonly place: Place;
  hasOutput = false;
  readonly #payload: SpanPayload | undefined;

  constructor(
    client: Client,
    recording: Recording | undefined,
    payload: SpanPayload | undefined,
    trace: TraceHandle,
  ) {
    super(client, recording);
    this.#payload = payload;
    this.id = payload?.id ?? "";
    this.place = { trace, scope: this };
  }

  protected get spanId(): string | undefined {
    return this.#payload?.id;
  }

  set(fields: SpanFields): void {
    if (fields.output !== undefined) this.hasOutput = true;
    this.safely(() => this.#payload && this.recording?.setSpan(this.#payload, fields));
  }

  end(fields: SpanFields = {}): void {
    this.set(fields);
    this.safely(() => this.#payload && this.recording?.endSpan(this.#payload, "COMPLETED"));
  }

  fail(error: unknown, fields: SpanFields = {}): void {
    this.set(fields);
    this.safely(
      () =>
        this.#payload &&
        this.recording?.endSpan(this.#payload, "ERROR", fields.statusMessage ?? describeError(error)),
    );
  }
}

/** A span outside any trace has a trace of its own, which ends with it. */
export class LoneSpan extends RecordedSpan {
  override end(fields: SpanFields = {}): void {
    super.end(fields);
    this.place.trace.end();
  }

  override fail(error: unknown, fields: SpanFields = {}): void {
    super.fail(error, fields);
    this.place.trace.fail(error);
  }
}

export async function runSpan<T>(
  span: RecordedSpan,
  options: SpanOptions,
  run: (span: SpanHandle) => T,
): Promise<Awaited<T>> {
  let result: Awaited<T>;
  try {
    result = await runIn(span.place, () => run(span));
  } catch (error) {
    span.fail(error);
    throw error;
  }
  span.end(options.captureOutput === false || span.hasOutput ? {} : { output: result });
  return result;
}

const nameOfError = (error: unknown) => (error instanceof Error && error.name) || "Error";
