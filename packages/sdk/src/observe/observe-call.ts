import { span } from "../record.ts";
import type { SpanHandle, SpanOptions } from "../types.ts";
import { asObject } from "./read-json.ts";

/**
 * Runs a function as a span. Unlike `span`, it returns what the function returns, and no promise of it: a value, a promise
 * or an async iterable, whose last item becomes the output.
 */
export function observeCall(name: string, options: SpanOptions, run: () => unknown): unknown {
  const call = span(name, { ...options, keepsTraceOpen: true });
  let result: unknown;
  try {
    result = call.run(run);
  } catch (error) {
    call.fail(error);
    throw error;
  }
  if (isAsyncIterable(result)) return observeItems(result, call);
  if (typeof asObject(result).then === "function") return observePromise(result, call);
  call.end({ output: result });
  return result;
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

async function observePromise(promise: unknown, call: SpanHandle): Promise<unknown> {
  try {
    const output = await promise;
    call.end({ output });
    return output;
  } catch (error) {
    call.fail(error);
    throw error;
  }
}

async function* observeItems(items: AsyncIterable<unknown>, call: SpanHandle): AsyncGenerator<unknown> {
  const iterator = items[Symbol.asyncIterator]();
  let output: unknown;
  let isDone = false;
  try {
    while (true) {
      const next = await call.run(() => iterator.next());
      if (next.done) break;
      output = next.value;
      yield output;
    }
    isDone = true;
    call.end({ output });
  } catch (error) {
    isDone = true;
    call.fail(error);
    throw error;
  } finally {
    if (!isDone) {
      call.end({ output, statusMessage: "the caller stopped reading" });
      await call.run(() => iterator.return?.());
    }
  }
}
