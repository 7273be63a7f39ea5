import type { DecisionPointType, EventType, SpanType } from "@whytrace/contract";

export type { DecisionPointType, EventType, SpanType };

/** What `init` takes; what is left out is read from the environment or has its default. */
export interface InitOptions {
  /** Default: WHYTRACE_API_KEY. Without one nothing is recorded, and one warning says so. */
  apiKey?: string | undefined;
  /** Where the server is. Default: WHYTRACE_URL, else http://127.0.0.1:3000. */
  url?: string | undefined;
  /** Default: WHYTRACE_ENABLED, else true. */
  enabled?: boolean | undefined;
  /** Write every fault of the SDK's own to the console. Default: WHYTRACE_DEBUG, else false. */
  debug?: boolean | undefined;
  /** Which part of the traces is sent, 0 to 1, decided by the trace's id. Default: 1. */
  sampleRate?: number | undefined;
  /** Send a trace that failed even when sampling left it out. Default: true. */
  keepErrors?: boolean | undefined;
  /**
   * Sees every value before it is kept, outermost first, with its path (`span.input.messages.0.content`), and
   * returns what to keep; undefined leaves it out. If it throws, the whole field is left out.
   */
  redact?: ((value: unknown, path: string) => unknown) | undefined;
  /** Told of every fault of the SDK's own; they never reach your code. */
  onError?: ((error: WhytraceError) => void) | undefined;
  /** Keeps a serverless invocation alive until what it recorded has been sent. */
  waitUntil?: WaitUntil | undefined;
  /** Send what is left when the process ends: beforeExit, exit, SIGTERM, SIGINT. Default: true. */
  exitHooks?: boolean | undefined;
  /** Used instead of the global fetch to reach the server. */
  fetch?: SendRequest | undefined;
}

export type WaitUntil = (promise: Promise<unknown>) => void;

/** AbortSignal, where the program knows that type: it may be compiled without the browser's or Node.js's. */
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
  | "queue-full"
  | "redact-failed"
  | "misuse"
  | "internal";

/** A fault of the SDK's own, as `onError` and `stats().lastError` tell it. */
export interface WhytraceError {
  code: WhytraceErrorCode;
  message: string;
  /** The trace it is about, where it is about one. */
  traceId?: string | undefined;
  cause?: unknown;
}

export interface Stats {
  /** Finished traces the server has acknowledged. */
  sent: number;
  /** Snapshots of running traces the server has acknowledged. */
  snapshotsSent: number;
  /** Finished traces that were lost. */
  dropped: number;
  /** Snapshots of running traces that were left out; the finished trace still goes. */
  snapshotsDropped: number;
  /** Finished traces that sampling left out. */
  sampledOut: number;
  /** Traces waiting to be sent, those on their way included. */
  queued: number;
  /** Traces that have begun and not ended. */
  open: number;
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
}

/** What can be said of a trace while it runs or when it ends. Metadata is merged, the rest replaced. */
export interface TraceFields {
  name?: string | undefined;
  sessionId?: string | undefined;
  tags?: readonly string[] | undefined;
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Instead of the sum over the spans. */
  totalCost?: number | undefined;
  /** Instead of the sum over the spans. */
  totalTokens?: number | undefined;
}

export interface SpanOptions {
  /** Default: CUSTOM. */
  type?: SpanType | undefined;
  input?: unknown;
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Keep what the function returns as the span's output. Default: true. */
  captureOutput?: boolean | undefined;
}

/** What can be said of a span while it runs or when it ends. Metadata is merged, the rest replaced. */
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

export interface DecisionDetails {
  /** Why. */
  reasoning?: string | undefined;
  /** What was known when it was decided. */
  contextSnapshot?: unknown;
  costUsd?: number | undefined;
}

/** An option, or an option with its reasons. */
export type Choice<Option> = Option | ({ chosen: Option } & DecisionDetails);

export interface OpenDecision<Option> extends DecisionDetails {
  options: readonly Option[];
  choose: (options: Option[]) => Choice<Option> | PromiseLike<Choice<Option>>;
}

export interface MadeDecision<Option> extends DecisionDetails {
  options: readonly Option[];
  chosen: Option;
}

export type Decision<Option> = OpenDecision<Option> | MadeDecision<Option>;

/** What a trace and a span have in common: things happen in them. */
export interface Scope {
  readonly id: string;
  readonly traceId: string;
  /** A span in this one, to be ended by hand. */
  span(name: string, options?: SpanOptions): SpanHandle;
  /** Runs a function as a span in this one; gives back what it returns, throws what it throws. */
  span<T>(name: string, run: (span: SpanHandle) => T): Promise<Awaited<T>>;
  span<T>(name: string, options: SpanOptions, run: (span: SpanHandle) => T): Promise<Awaited<T>>;
  /** Records a choice and gives back what was chosen. */
  decide<Option>(type: DecisionPointType, decision: Decision<Option>): Promise<Option>;
  event(name: string, options?: EventOptions): void;
}

export interface TraceHandle extends Scope {
  set(fields: TraceFields): void;
  /** Ends the trace well; later calls do nothing. */
  end(fields?: TraceFields): void;
  /** Ends the trace as failed. */
  fail(error: unknown, fields?: TraceFields): void;
}

export interface SpanHandle extends Scope {
  set(fields: SpanFields): void;
  /** Ends the span well; later calls do nothing. */
  end(fields?: SpanFields): void;
  /** Ends the span as failed. */
  fail(error: unknown, fields?: SpanFields): void;
}
