import { Client } from "./client.ts";
import { activeClient, currentContext, replaceClient } from "./global-state.ts";
import { RecordedTrace, runHandle, StandaloneSpan } from "./handles.ts";
import type {
  AnsweredDecision,
  AnyString,
  Decision,
  DecisionPointType,
  EventOptions,
  InitOptions,
  MadeDecision,
  OpenDecision,
  OptionValue,
  Scope,
  ScoreOptions,
  ScoreValue,
  SpanHandle,
  SpanOptions,
  Stats,
  TraceHandle,
  TraceOptions,
} from "./types.ts";

/**
 * Configures the SDK. Traces that were started before keep the previous configuration and are still sent. With the same
 * options as before, it does nothing.
 */
export function init(options: InitOptions = {}): void {
  const client = new Client(options);
  const before = replaceClient(client);
  if (before?.isLike(client.settings)) replaceClient(before);
  else before?.retire();
}

/**
 * Runs a function as a trace. Returns what the function returns and throws what it throws. Inside another trace, it
 * becomes an AGENT span of that trace.
 */
export function trace<T>(name: string, run: (trace: TraceHandle) => T): Promise<Awaited<T>>;
export function trace<T>(
  name: string,
  options: TraceOptions,
  run: (trace: TraceHandle) => T,
): Promise<Awaited<T>>;
export async function trace<T>(
  name: string,
  given: TraceOptions | ((trace: TraceHandle) => T),
  run?: (trace: TraceHandle) => T,
): Promise<Awaited<T>> {
  const options = typeof given === "function" ? {} : given;
  const work = typeof given === "function" ? given : run;
  if (!work) throw new TypeError("trace(name, options, run): run is missing");
  const outer = currentContext();
  if (outer) return runAsSpan(outer.scope, name, options, work);
  return runHandle(openTrace(name, options), { captureOutput: false }, work);
}

/** Starts a trace that you end yourself, for work that does not happen inside one function. */
export const startTrace = (name: string, options: TraceOptions = {}): TraceHandle => openTrace(name, options);

/** Starts a span that you end yourself. */
export function span(name: string, options?: SpanOptions): SpanHandle;
/** Runs a function as a span. Returns what the function returns and throws what it throws. */
export function span<T>(name: string, run: (span: SpanHandle) => T): Promise<Awaited<T>>;
export function span<T>(
  name: string,
  options: SpanOptions,
  run: (span: SpanHandle) => T,
): Promise<Awaited<T>>;
export function span<T>(
  name: string,
  given: SpanOptions | ((span: SpanHandle) => T) = {},
  run?: (span: SpanHandle) => T,
): SpanHandle | Promise<Awaited<T>> {
  const work = typeof given === "function" ? given : run;
  const options = typeof given === "function" ? {} : given;
  const scope = currentContext()?.scope;
  if (scope) return work ? scope.span(name, options, work) : scope.span(name, options);
  const standalone = startStandaloneSpan(name, options);
  return work ? runHandle(standalone, options, work) : standalone;
}

/** Makes a decision, records it and returns the chosen option. The other options are recorded as alternatives. */
export function decide<const Option extends OptionValue>(
  type: DecisionPointType,
  decision: OpenDecision<Option>,
): Promise<Option>;
/** The same for a `choose` that returns any string, for example what a model answers. */
export function decide<Answer extends string>(
  type: DecisionPointType,
  decision: AnsweredDecision<Answer>,
  ...checked: AnyString<Answer>
): Promise<string>;
/** Records a decision that has been made, and returns the chosen option. The others are recorded as alternatives. */
export function decide<Option extends OptionValue>(
  type: DecisionPointType,
  decision: MadeDecision<Option>,
): Promise<Option>;
export async function decide<Option>(type: DecisionPointType, decision: Decision<Option>): Promise<Option> {
  const scope = currentContext()?.scope;
  return scope
    ? scope.decide(type, decision)
    : trace(`decide ${type}`, (handle) => handle.decide(type, decision));
}

/** Records an event in the current trace. */
export function event(name: string, options: EventOptions = {}): void {
  const scope = currentContext()?.scope;
  if (scope) scope.event(name, options);
  else activeClient().reportOutside("event", name);
}

/** Judges the current trace, or the trace with the given id, also later and in another process. */
export function score(name: string, value: ScoreValue, options: ScoreOptions = {}): void {
  const client = activeClient();
  client.reportErrors(() => {
    const current = currentContext()?.trace;
    const { traceId = current?.id } = options;
    if (traceId === undefined) client.reportOutside("score", name);
    else if (traceId === current?.id) current.score(name, value, options);
    else client.score(traceId, name, value, options);
  });
}

/** The trace that the calling code runs in. */
export const currentTrace = (): TraceHandle | undefined => currentContext()?.trace;

/** The innermost span that the calling code runs in, or else the trace. */
export const currentScope = (): Scope | undefined => currentContext()?.scope;

/** Sends all queued traces. Resolves to true if the server acknowledged them all before the timeout. */
export const flush = (options: { timeoutMs?: number } = {}): Promise<boolean> =>
  activeClient().flush(options.timeoutMs);

/** Ends open traces, sends all queued traces, and stops recording until the next `init`. */
export const shutdown = (options: { timeoutMs?: number } = {}): Promise<boolean> =>
  activeClient().shutdown(options.timeoutMs);

export const stats = (): Stats => activeClient().stats();

function openTrace(name: string, options: TraceOptions): RecordedTrace {
  const client = activeClient();
  const recording = client.reportErrors(() => client.start(name, options));
  return new RecordedTrace(client, recording);
}

function startStandaloneSpan(name: string, options: SpanOptions): StandaloneSpan {
  const client = activeClient();
  const recording = client.reportErrors(() => client.start(name, {}));
  const payload = client.reportErrors(() => recording?.startSpan(name, options, undefined));
  return new StandaloneSpan(client, recording, payload, new RecordedTrace(client, recording));
}

/** The span's handle has every method of a trace's handle. */
function runAsSpan<T>(
  outer: Scope,
  name: string,
  { tags, sessionId, metadata }: TraceOptions,
  work: (trace: TraceHandle) => T,
): Promise<Awaited<T>> {
  return outer.span(name, { type: "AGENT", metadata: { ...metadata, tags, sessionId } }, work);
}
