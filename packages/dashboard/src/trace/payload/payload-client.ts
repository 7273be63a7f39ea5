import { ApiError } from "../../client/api.ts";
import { reportUnauthorized } from "../../client/unauthorized.ts";
import type { PayloadCall, PayloadCalls, WorkerRequest, WorkerResponse } from "./payload-protocol.ts";

let worker: Worker | undefined;
let lastId = 0;
const pending = new Map<number, { resolve: (response: never) => void; reject: (error: Error) => void }>();

/** Calls the worker that reads payloads. The first call starts it. */
export function callPayloadWorker<T extends PayloadCall>(
  call: T,
  request: PayloadCalls[T]["request"],
): Promise<PayloadCalls[T]["response"]> {
  worker ??= startWorker();
  const id = ++lastId;
  const message: WorkerRequest<T> = { id, call, request };
  worker.postMessage(message);
  return new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
}

export const newDocumentId = () => ++lastId;

function startWorker(): Worker {
  const newWorker = new Worker(new URL("./payload-worker.ts", import.meta.url), { type: "module" });
  newWorker.addEventListener("message", ({ data }: MessageEvent<WorkerResponse>) => {
    const { resolve, reject } = pending.get(data.id) ?? {};
    pending.delete(data.id);
    if (!("error" in data)) return resolve?.(data.response as never);
    if (data.status === 401) reportUnauthorized();
    reject?.(new ApiError(data.status, data.error));
  });
  newWorker.addEventListener("error", () => stopWorker(newWorker));
  newWorker.addEventListener("messageerror", () => stopWorker(newWorker));
  return newWorker;
}

/** Its script could not be loaded, or it crashed: fails all calls. The next call starts a new worker. */
function stopWorker(failed: Worker) {
  failed.terminate();
  if (worker !== failed) return;
  worker = undefined;
  const error = new ApiError(0, "Could not read the payload. If this happens again, reload the page.");
  for (const { reject } of pending.values()) reject(error);
  pending.clear();
}
