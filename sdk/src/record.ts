import { Client } from "./client.ts";
import { activeClient, currentPlace, replaceClient, runIn } from "./global-state.ts";
import { LoneSpan, RecordedTrace, runSpan } from "./handles.ts";
import type { SpanPayload } from "./payload.ts";
import type { Recording } from "./recording.ts";
import { describeError } from "./to-json.ts";
import type {
  Decision,
  DecisionPointType,
  EventOptions,
  InitOptions,
  Scope,
  SpanHandle,
  SpanOptions,
  Stats,
  TraceHandle,
  TraceOptions,
} from "./types.ts";

/** Configures the SDK. What was begun with the configuration before ends with it and is still sent. */
export function init(options: InitOptions = {}): void {
  replaceClient(new Client(options))?.retire();
}

/** Runs a function as a trace; gives back what it returns, throws what it throws. Inside a trace it is a part of that. */
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
  const outer = currentPlace();
  if (outer) return nest(outer.scope, name, options, work);
  const handle = openTrace(name, options);
  let result: Awaited<T>;
  try {
    result = await runIn(handle.place, () => work(handle));
  } catch (error) {
    handle.fail(error);
    throw error;
  }
  handle.end();
  return result;
}

/** A trace to be ended by hand, for code that no one function encloses. */
export const startTrace = (name: string, options: TraceOptions = {}): TraceHandle => openTrace(name, options);

/** A span to be ended by hand. */
export function span(name: string, options?: SpanOptions): SpanHandle;
/** Runs a function as a span; gives back what it returns, throws what it throws. */
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
  const scope = currentPlace()?.scope;
  if (scope) return work ? scope.span(name, options, work) : scope.span(name, options);
  const lone = startLoneSpan(name, options);
  return work ? runSpan(lone, options, work) : lone;
}

/** Records a choice: alternatives are the options less the chosen one, which is given back. */
export async function decide<Option>(type: DecisionPointType, decision: Decision<Option>): Promise<Option> {
  const scope = currentPlace()?.scope;
  return scope
    ? scope.decide(type, decision)
    : trace(`decide ${type}`, (lone) => lone.decide(type, decision));
}

/** Records that something happened, in the running trace. */
export function event(name: string, options: EventOptions = {}): void {
  const scope = currentPlace()?.scope;
  if (scope) scope.event(name, options);
  else if (activeClient().isRecording)
    activeClient().report("misuse", `event "${name}" happened outside any trace and was not recorded`);
}

/** The trace this code runs in. */
export const currentTrace = (): TraceHandle | undefined => currentPlace()?.trace;

/** The span, or else the trace, this code runs in. */
export const currentScope = (): Scope | undefined => currentPlace()?.scope;

/** Sends what is queued, at most for so long. True when everything has been acknowledged. */
export const flush = (options: { timeoutMs?: number } = {}): Promise<boolean> =>
  activeClient().flush(options.timeoutMs);

/** Ends what is open, sends what is queued, and stops recording until the next `init`. */
export const shutdown = (options: { timeoutMs?: number } = {}): Promise<boolean> =>
  activeClient().shutdown(options.timeoutMs);

export const stats = (): Stats => activeClient().stats();

function openTrace(name: string, options: TraceOptions): RecordedTrace {
  const client = activeClient();
  return new RecordedTrace(client, begin(client, name, options));
}

function begin(client: Client, name: string, options: TraceOptions): Recording | undefined {
  try {
    return client.start(name, options);
  } catch (cause) {
    client.report("internal", describeError(cause), { cause });
    return undefined;
  }
}

function startLoneSpan(name: string, options: SpanOptions): LoneSpan {
  const client = activeClient();
  const recording = begin(client, name, {});
  let payload: SpanPayload | undefined;
  try {
    payload = recording?.startSpan(name, options, undefined);
  } catch (cause) {
    client.report("internal", describeError(cause), { cause });
  }
  return new LoneSpan(client, recording, payload, new RecordedTrace(client, recording));
}

/** An AGENT span has all that a trace's handle has. */
function nest<T>(
  outer: Scope,
  name: string,
  { tags, sessionId, metadata }: TraceOptions,
  work: (trace: TraceHandle) => T,
): Promise<Awaited<T>> {
  return outer.span(name, { type: "AGENT", metadata: { ...metadata, tags, sessionId } }, work);
}
