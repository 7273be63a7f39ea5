import { ApiError } from "../../client/api.ts";
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
    if ("error" in data) reject?.(new ApiError(data.status, data.error));
    else resolve?.(data.response as never);
  });
  return newWorker;
}

/** The URL of a span's payloads. The part after `#` is only a cache key: it changes when the span does. */
export const spanUrl = (traceId: string, span: { id: string; status: string; endedAt: string | null }) =>
  `/api/traces/${encodeURIComponent(traceId)}/spans/${encodeURIComponent(span.id)}#${span.status}${span.endedAt ?? ""}`;
export const decisionUrl = (traceId: string, id: string) =>
  `/api/traces/${encodeURIComponent(traceId)}/decision-points/${encodeURIComponent(id)}`;
export const eventUrl = (traceId: string, id: string) =>
  `/api/traces/${encodeURIComponent(traceId)}/events/${encodeURIComponent(id)}`;
export const traceUrl = (traceId: string) => `/api/traces/${encodeURIComponent(traceId)}`;
