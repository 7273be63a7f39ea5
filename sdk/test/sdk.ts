import { afterEach } from "vitest";
import { Client } from "../src/client.ts";
import { replaceClient } from "../src/global-state.ts";
import type { Timing } from "../src/timing.ts";
import type { InitOptions, WhytraceError } from "../src/types.ts";

export interface TestClient {
  client: Client;
  errors: WhytraceError[];
}

/** A client that the global functions use from here on; quick unless a test says otherwise. */
export function useTestClient(options: InitOptions, timing: Partial<Timing> = {}): TestClient {
  const errors: WhytraceError[] = [];
  const client = new Client(
    { exitHooks: false, onError: (error) => errors.push(error), ...options },
    { batchMs: 10, retryMs: 5, retryMaxMs: 40, ...timing },
  );
  replaceClient(client);
  clients.push(client);
  return { client, errors };
}

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.shutdown(0);
});
