import type { DecisionPointType, EventType, SpanType } from "@whytrace/contract";
import type { TracePayload } from "./payload.ts";

export type { DecisionPointType, EventType, SpanType };

/** Options of `init`. An option that is left out is read from the environment or has its default. */
export interface InitOptions {
  /** Default: WHYTRACE_API_KEY. Without a key, nothing is recorded and the SDK logs one warning. */
  apiKey?: string | undefined;
  /** URL of the server. Default: WHYTRACE_URL, else http://127.0.0.1:3000. */
  url?: string | undefined;
  /** Default: WHYTRACE_ENABLED, else true. */
  enabled?: boolean | undefined;
  /** Log every error of the SDK to the console. Default: WHYTRACE_DEBUG, else false. */
  debug?: boolean | undefined;
  /** The fraction of traces that is sent, 0 to 1. The trace id decides which. Default: 1. */
  sampleRate?: number | undefined;
  /** Send failed traces, and those with a bad score, even if sampling excludes them. Default: true. */
  keepErrors?: boolean | undefined;
  /**
   * Called for every value before it is recorded, outermost first, with its path (`span.input.messages.0.content`).
   * Records what it returns; undefined omits the value. If it throws, the whole field is omitted.
   */
  redact?: ((value: unknown, path: string) => unknown) | undefined;
  /** Called for every error of the SDK. The SDK never throws these errors. */
  onError?: ((error: WhytraceError) => void) | undefined;
  /** Keeps a serverless function alive until its traces have been sent. */
  waitUntil?: WaitUntil | undefined;
  /** Send unsent traces when the process ends: beforeExit, exit, SIGTERM, SIGINT. Default: true. */
  exitHooks?: boolean | undefined;
  /** Used for requests to the server instead of the global fetch. */
  fetch?: SendRequest | undefined;
}

export type WaitUntil = (promise: Promise<unknown>) => void;

/** AbortSignal, or unknown in programs compiled without the types of browsers and of Node.js. */
type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } } ? Known : unknown;

export type SendRequest = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body: string;
    redirect: "manual";
    signal: Signal;
  },
) => Promise<{ status: number; headers: { get(name: string): string | null }; text(): Promise<string> }>;

export type WhytraceErrorCode =
  | "no-key"
  | "bad-setting"
  | "unreachable"
  | "key-refused"
  | "rate-limited"
  | "trace-refused"
  | "trace-too-large"
  | "score-refused"
  | "queue-full"
  | "too-many-open"
  | "redact-failed"
  | "misuse"
  | "internal";

/** An error of the SDK, as passed to `onError` and returned by `stats().lastError`. */
export interface WhytraceError {
  code: WhytraceErrorCode;
  message: string;
  /** Set if the error concerns a single trace. */
  traceId?: string | undefined;
  cause?: unknown;
}

export interface Stats {
  /** Finished traces that the server has acknowledged. */
  sent: number;
  /** Snapshots of running traces that the server has acknowledged. */
  snapshotsSent: number;
  /** Finished traces, or later changes to them, that were not sent and never will be. */
  dropped: number;
  /** Snapshots of running traces that were not sent. The finished trace is sent anyway. */
  snapshotsDropped: number;
  /** Traces excluded by sampling. */
  sampledOut: number;
  /** Traces waiting to be sent, including those in flight. */
  queued: number;
  /** Scores that the server has acknowledged, that never will be sent, and that wait to be sent or are in flight. */
  scores: { sent: number; dropped: number; queued: number };
  /** Running traces. */
  open: number;
  /** Traces that exceeded the limit of 1,000 running traces. They are sent only if they end. */
  untracked: number;
  lastError: WhytraceError | undefined;
}

export interface TraceOptions {
  /** Default: a random UUID. */
  id?: string | undefined;
  /** Groups traces into a session. */
  sessionId?: string | undefined;
  tags?: readonly string[] | undefined;
  metadata?: Readonly<Record<string, unknown>> | undefined;
  waitUntil?: WaitUntil | undefined;
  /** Set by `continueTrace` of `@whytrace/sdk/otel`. Default: the JSON of POST /api/traces. */
  format?: TraceFormat | undefined;
}

/** How a trace is sent. */
export interface TraceFormat {
  /** Path of the endpoint, after the server's URL. */
  readonly path: string;
  /** Name of the list of traces in a body. */
  readonly list: string;
  /** Distinguishes recordings of the same trace that this process sends. Default: the trace's id. */
  readonly key?: string;
  newSpanId?(): string;
  /**
   * Reads the body of a response with status 200. Returns undefined if it is not one of a Whytrace server, and an error
   * text if the server refused something. Default: what POST /api/traces returns.
   */
  readResponse?: ((body: object) => { refusal?: string } | undefined) | undefined;
  /** The header that continues the trace elsewhere, below a span or below the trace itself. */
  traceparent?(spanId: string | undefined): string;
  toJson(trace: TracePayload): unknown;
}

/** Fields of a trace that can change until it ends. Metadata is merged, other fields are replaced. */
export interface TraceFields {
  name?: string | undefined;
  sessionId?: string | undefined;
  tags?: readonly string[] | undefined;
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Default: the sum over the spans. */
  totalCost?: number | undefined;
  /** Default: the sum over the spans. */
  totalTokens?: number | undefined;
}

export interface SpanOptions {
  /** Default: CUSTOM. */
  type?: SpanType | undefined;
  input?: unknown;
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Record what the function returns as the span's output. Default: true. */
  captureOutput?: boolean | undefined;
  /**
   * Keep an ended trace open until the span has ended, for example for a stream that is read after the traced function
   * has returned. Default: true for a span with a function.
   */
  keepsTraceOpen?: boolean | undefined;
}

/** Fields of a span that can change until it ends. Metadata is merged, other fields are replaced. */
export interface SpanFields {
  name?: string | undefined;
  input?: unknown;
  output?: unknown;
  tokenCount?: number | undefined;
  costUsd?: number | undefined;
  statusMessage?: string | undefined;
  metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface EventOptions {
  /** Default: CUSTOM. */
  type?: EventType | undefined;
  metadata?: unknown;
}

/** A number on a scale of your own, a boolean, or a label. False, and labels such as "fail", say that the run is bad. */
export type ScoreValue = number | boolean | string;

/** Whom the agent works for; a model or program that can be wrong; a check that is always right; a reviewer. */
export type ScoreSource = "user" | "judge" | "code" | "person";

export interface ScoreOptions {
  /** Default: `code`. */
  source?: ScoreSource | undefined;
  /** Who exactly, for example a user's id or a judge with its version. */
  author?: string | undefined;
  /** What a number means in words. */
  label?: string | undefined;
  comment?: string | undefined;
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Default: the trace that the calling code runs in. */
  traceId?: string | undefined;
  /** The span that is judged. Default: the trace. */
  spanId?: string | undefined;
  /** The decision that is judged. */
  decisionId?: string | undefined;
  /** Default: the same for the same place, name, source and author, so that a later score replaces an earlier one. */
  id?: string | undefined;
  /** When the score was given. Default: now. */
  timestamp?: Date | string | undefined;
}

export type ScoreArguments = [name: string, value: ScoreValue, options: ScoreOptions];

export interface DecisionDetails {
  /** Why the option was chosen. */
  reasoning?: string | undefined;
  /** What was known at the time of the decision. */
  contextSnapshot?: unknown;
  costUsd?: number | undefined;
}

/** An option, or an option with details. */
export type Choice<Option> = Option | ({ chosen: Option } & DecisionDetails);

export interface OpenDecision<Option> extends DecisionDetails {
  options: readonly Option[];
  choose: (options: Option[]) => Choice<NoInfer<Option>> | PromiseLike<Choice<NoInfer<Option>>>;
}

/** A decision whose answer is some string, which TypeScript cannot compare with the options. */
export interface AnsweredDecision<Answer> extends DecisionDetails {
  options: readonly string[];
  choose(options: string[]): Choice<Answer> | PromiseLike<Choice<Answer>>;
}

/** Demands a further argument, which nobody has, for a literal: TypeScript compares that with the options. */
export type AnyString<Answer> = string extends Answer ? [] : [never];

export interface MadeDecision<Option> extends DecisionDetails {
  options: readonly Option[];
  chosen: NoInfer<Option>;
  /** Set it if the option was drawn at random: the probability with which it was, above 0 and at most 1. */
  probability?: number | undefined;
}

/** Any value. The primitive types make TypeScript infer literal types, so that it checks `chosen` against the options. */
export type OptionValue = string | number | bigint | boolean | NonNullable<unknown> | null | undefined;

export type Decision<Option> = OpenDecision<Option> | MadeDecision<Option>;

/** A trace or a span, in which spans, decisions and events are recorded. */
export interface Scope {
  readonly id: string;
  readonly traceId: string;
  /** The W3C header for requests to other services. Undefined unless the trace was started with `continueTrace`. */
  readonly traceparent: string | undefined;
  /** Starts a child span that you end yourself. */
  span(name: string, options?: SpanOptions): SpanHandle;
  /** Runs a function as a child span. Returns what the function returns and throws what it throws. */
  span<T>(name: string, run: (span: SpanHandle) => T): Promise<Awaited<T>>;
  span<T>(name: string, options: SpanOptions, run: (span: SpanHandle) => T): Promise<Awaited<T>>;
  /** Makes a decision, records it and returns the chosen option. */
  decide<const Option extends OptionValue>(
    type: DecisionPointType,
    decision: OpenDecision<Option>,
  ): Promise<Option>;
  /** The same for a `choose` that returns any string, for example what a model answers. */
  decide<Answer extends string>(
    type: DecisionPointType,
    decision: AnsweredDecision<Answer>,
    ...checked: AnyString<Answer>
  ): Promise<string>;
  /** Records a decision that has been made, and returns the chosen option. */
  decide<Option extends OptionValue>(
    type: DecisionPointType,
    decision: MadeDecision<Option>,
  ): Promise<Option>;
  /** @internal For a decision of either kind. The published types omit it, because it would accept any `chosen`. */
  decide<Option>(type: DecisionPointType, decision: Decision<Option>): Promise<Option>;
  event(name: string, options?: EventOptions): void;
  /** Judges the trace or span. It is also possible after its end. */
  score(
    name: string,
    value: ScoreValue,
    options?: Omit<ScoreOptions, "traceId" | "spanId" | "decisionId">,
  ): void;
  /** Runs a function in which `span`, `decide` and `event` record here. Returns what the function returns. */
  run<T>(work: () => T): T;
}

export interface TraceHandle extends Scope {
  set(fields: TraceFields): void;
  /** Ends the trace as COMPLETED. Later calls do nothing. Spans that `keepsTraceOpen` delay the end until they end. */
  end(fields?: TraceFields): void;
  /** Ends the trace as ERROR, even if it has ended as COMPLETED before. */
  fail(error: unknown, fields?: TraceFields): void;
}

export interface SpanHandle extends Scope {
  set(fields: SpanFields): void;
  /** Ends the span as COMPLETED. Later calls do nothing. */
  end(fields?: SpanFields): void;
  /** Ends the span as ERROR. */
  fail(error: unknown, fields?: SpanFields): void;
}
