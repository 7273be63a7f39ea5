import { afterFile } from "@whytrace/testing/after-file.ts";
import { Client } from "../src/client.ts";
import { replaceClient } from "../src/global-state.ts";
import type { Tuning } from "../src/tuning.ts";
import type { InitOptions, WhytraceError } from "../src/types.ts";

interface TestClient {
  client: Client;
  errors: WhytraceError[];
}

/**
 * Makes the global functions use a new client with short delays. It is shut down after the test file. A flush waits for as long as
 * a slow machine needs, and a trace is sent while it runs only if the test says so.
 */
export function useTestClient(options: InitOptions, tuning: Partial<Tuning> = {}): TestClient {
  const errors: WhytraceError[] = [];
  const client = new Client(
    { exitHooks: false, onError: (error) => errors.push(error), ...options },
    {
      batchDelayMs: 10,
      retryDelayMs: 5,
      maxRetryDelayMs: 40,
      flushTimeoutMs: 60_000,
      firstSnapshotMs: 60_000,
      ...tuning,
    },
  );
  replaceClient(client);
  afterFile(() => client.shutdown(0));
  return { client, errors };
}
