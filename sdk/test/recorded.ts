import { trace } from "../src/index.ts";
import type { TracePayload } from "../src/payload.ts";
import { useTestClient } from "./sdk.ts";

/** Runs work with a client whose server is this function, and returns the traces that were sent. */
export async function recorded(work: () => Promise<unknown>): Promise<TracePayload[]> {
  const traces = new Map<string, TracePayload>();
  const { client, errors } = useTestClient({
    apiKey: "wt_test",
    async fetch(_, { body }) {
      const batch: TracePayload[] = JSON.parse(body).traces;
      for (const trace of batch) traces.set(trace.id, trace);
      const answer = JSON.stringify({ success: true, count: batch.length });
      return { status: 200, headers: { get: () => null }, text: async () => answer };
    },
  });
  await work();
  await client.flush();
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return [...traces.values()];
}

/** The value, or what is thrown, in a form that can be compared. */
export async function outcome(work: () => unknown): Promise<unknown> {
  try {
    return { value: await work() };
  } catch (error) {
    const thrown = error as Error & { status?: number };
    const { name, message, status } = thrown;
    return { thrown: { name, message, status, kind: thrown.constructor.name } };
  }
}

/** What a call does with a plain client and, inside a trace, with a wrapped one. */
export async function plainAndWrapped<Client>(
  call: (client: Client) => unknown,
  { plain, wrapped }: { plain: Client; wrapped: Client },
): Promise<{ expected: unknown; actual: unknown }> {
  const expected = await outcome(() => call(plain));
  let actual: unknown;
  await recorded(async () => {
    actual = await trace("agent", () => outcome(() => call(wrapped)));
  });
  return { expected, actual };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
