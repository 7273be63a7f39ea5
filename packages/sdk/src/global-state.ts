import { Client } from "./client.ts";
import { type ContextStorage, createContextStorage } from "./context-storage.ts";
import type { Recording } from "./recording.ts";
import type { Scope, TraceHandle } from "./types.ts";

/** The trace that the running code belongs to, and its innermost span (or the trace itself). */
export interface Context {
  trace: TraceHandle & {
    readonly isOver: boolean;
    readonly client: Client;
    readonly recording: Recording | undefined;
  };
  scope: Scope;
}

interface State {
  client?: Client;
  storage: ContextStorage<Context>;
}

/* One process shares one state, even if it loads the package twice: as an ES module and as CommonJS. */
const KEY = Symbol.for("@whytrace/sdk 0.1");
const holder = globalThis as { [KEY]?: State };

function state(): State {
  holder[KEY] ??= { storage: createContextStorage() };
  return holder[KEY];
}

/** Created from the environment if `init` was not called. */
export function activeClient(): Client {
  const found = state();
  found.client ??= new Client();
  return found.client;
}

/** Returns the previously active client. */
export function replaceClient(client: Client): Client | undefined {
  const before = state().client;
  state().client = client;
  return before;
}

export function currentContext(): Context | undefined {
  const context = state().storage.getStore();
  return context?.trace.isOver ? undefined : context;
}

export const runInContext = <T>(context: Context, work: () => T): T => state().storage.run(context, work);

/** The rest of the calling function and what it calls later run in the context. Some runtimes cannot do this. */
export const enterContext = (context: Context): void => state().storage.enterWith?.(context);
