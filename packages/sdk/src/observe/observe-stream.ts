import { reportErrors } from "../report-errors.ts";

/** Errors thrown by an observer are reported and do not affect the stream. */
interface StreamObserver<T> {
  add(chunk: T): void;
  /** `message` is set if the consumer cancelled the stream before its end. */
  end(message?: string): void;
  fail(error: unknown): void;
}

/** Passes a stream on chunk by chunk as it is pulled: nothing is read ahead, and a cancel reaches the source. */
export function observeStream<T>(stream: ReadableStream<T>, observer: StreamObserver<T>): ReadableStream<T> {
  const reader = stream.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) {
            reportErrors(() => observer.add(value));
            controller.enqueue(value);
            return;
          }
          reportErrors(() => observer.end());
          controller.close();
        } catch (error) {
          reportErrors(() => observer.fail(error));
          controller.error(error);
        }
      },
      async cancel(reason) {
        reportErrors(() => observer.end("the caller stopped reading"));
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
