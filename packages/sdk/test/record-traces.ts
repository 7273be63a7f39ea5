import { trace } from "../src/index.ts";
import type { TracePayload } from "../src/payload.ts";
import { useTestClient } from "./use-test-client.ts";

/** Runs `work` with a client whose requests are answered in memory. Returns the traces sent, in their last state. */
export async function recordTraces(work: () => Promise<unknown>): Promise<TracePayload[]> {
  const traces = new Map<string, TracePayload>();
  const { client, errors } = useTestClient({
    apiKey: "wt_test",
    async fetch(_, { body }) {
      const batch: TracePayload[] = JSON.parse(body).traces;
      for (const trace of batch) traces.set(trace.id, trace);
      const response = JSON.stringify({ success: true, count: batch.length });
      return { status: 200, headers: { get: () => null }, text: async () => response };
    },
  });
  await work();
  await client.flush();
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return [...traces.values()];
}

/** Returns the value or the error of `work` in a form that can be compared. */
export async function outcome(work: () => unknown): Promise<unknown> {
  try {
    return { value: await work() };
  } catch (error) {
    const thrown = error as Error & { status?: number };
    const { name, message, status } = thrown;
    return { thrown: { name, message, status, kind: thrown.constructor.name } };
  }
}

/** Returns the outcomes of a call with the plain client and, inside a trace, with the wrapped client. */
export async function plainAndWrapped<Client>(
  call: (client: Client) => unknown,
  { plain, wrapped }: { plain: Client; wrapped: Client },
): Promise<{ expected: unknown; actual: unknown }> {
  const expected = await outcome(() => call(plain));
  let actual: unknown;
  await recordTraces(async () => {
    actual = await trace("agent", () => outcome(() => call(wrapped)));
  });
  return { expected, actual };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
