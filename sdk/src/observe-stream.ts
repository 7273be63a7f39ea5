import { quietly } from "./quietly.ts";

/** Told what goes by. What it throws is kept from the stream. */
export interface StreamWatcher<T> {
  add(chunk: T): void;
  /** With a message when the reader left before the end. */
  end(message?: string): void;
  fail(error: unknown): void;
}

/** Hands a stream through, chunk by chunk as it is pulled: nothing is read ahead, and leaving it reaches its source. */
export function observeStream<T>(stream: ReadableStream<T>, watcher: StreamWatcher<T>): ReadableStream<T> {
  const reader = stream.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) {
            quietly(() => watcher.add(value));
            controller.enqueue(value);
            return;
          }
          quietly(() => watcher.end());
          controller.close();
        } catch (error) {
          quietly(() => watcher.fail(error));
          controller.error(error);
        }
      },
      async cancel(reason) {
        quietly(() => watcher.end("the caller stopped reading"));
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
