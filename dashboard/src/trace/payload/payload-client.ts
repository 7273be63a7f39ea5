import { ApiError } from "../../client/api.ts";
import type { Answer, Ask, PayloadCall, PayloadCalls } from "./payload-protocol.ts";

let worker: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();

/** Asks the worker that reads payloads; it starts when the first one is wanted. */
export function callPayloadWorker<T extends PayloadCall>(
  call: T,
  ask: PayloadCalls[T]["ask"],
): Promise<PayloadCalls[T]["answer"]> {
  worker ??= start();
  const id = ++lastId;
  const message: Ask<T> = { id, call, ask };
  worker.postMessage(message);
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

export const newDocumentId = () => ++lastId;

function start(): Worker {
  const started = new Worker(new URL("./payload-worker.ts", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
    const { resolve, reject } = waiting.get(data.id) ?? {};
    waiting.delete(data.id);
    if ("error" in data) reject?.(new ApiError(data.status, data.error));
    else resolve?.(data.answer as never);
  });
  return started;
}

/** A span's payloads; what follows `#` only tells one state of an unfinished span from the next. */
export const spanUrl = (traceId: string, span: { id: string; status: string; endedAt: string | null }) =>
  `/api/traces/${encodeURIComponent(traceId)}/spans/${encodeURIComponent(span.id)}#${span.status}${span.endedAt ?? ""}`;
export const decisionUrl = (traceId: string, id: string) =>
  `/api/traces/${encodeURIComponent(traceId)}/decision-points/${encodeURIComponent(id)}`;
export const eventUrl = (traceId: string, id: string) =>
  `/api/traces/${encodeURIComponent(traceId)}/events/${encodeURIComponent(id)}`;
export const traceUrl = (traceId: string) => `/api/traces/${encodeURIComponent(traceId)}`;
