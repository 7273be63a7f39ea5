import { createStorage, type Storage } from "./async-storage.ts";
import { Client } from "./client.ts";
import type { Scope, TraceHandle } from "./types.ts";

/** Where the running code is: in this trace, directly in this scope. */
export interface Place {
  trace: TraceHandle;
  scope: Scope;
}

interface State {
  client?: Client;
  storage: Storage<Place>;
}

/* One state a process, though the package may be loaded twice: once imported, once required. */
const KEY = Symbol.for("@whytrace/sdk 0.1");
const holder = globalThis as { [KEY]?: State };

function state(): State {
  holder[KEY] ??= { storage: createStorage() };
  return holder[KEY];
}

/** Made from the environment when nobody called init. */
export function activeClient(): Client {
  const found = state();
  found.client ??= new Client();
  return found.client;
}

/** Returns the one that was active. */
export function replaceClient(client: Client): Client | undefined {
  const before = state().client;
  state().client = client;
  return before;
}

export const currentPlace = (): Place | undefined => state().storage.getStore();
export const runIn = <T>(place: Place, work: () => T): T => state().storage.run(place, work);
