import type { IngestBatch } from "./generate/generate-batches.ts";
import type { Sender } from "./ingest-tenants.ts";
import { KeepAliveClient } from "./keep-alive-client.ts";
import { writeBatch } from "./write-batch.ts";

export interface BatchRequest {
  key: string;
  body: Buffer;
  count: number;
}

/** The request of a batch to POST /api/traces. */
export const batchRequest = ({ tenant: { key }, traces }: IngestBatch<Sender>): BatchRequest => ({
  key,
  body: writeBatch(traces),
  count: traces.length,
});

/** Sends batches to POST /api/traces. Returns the duration of each request. */
export const postBatches = (
  urls: readonly string[],
  requests: BatchRequest[],
  connections: number,
): Promise<number[]> =>
  postAll(urls, requests, connections, {
    path: "/api/traces",
    contentType: "application/json",
    responseTo: ({ count }) => JSON.stringify({ success: true, count }),
  });

/** Sends spans in protobuf to POST /v1/traces, which responds with nothing if all are stored. */
export const postOtlpBatches = (
  urls: readonly string[],
  requests: BatchRequest[],
  connections: number,
): Promise<number[]> =>
  postAll(urls, requests, connections, {
    path: "/v1/traces",
    contentType: "application/x-protobuf",
    responseTo: () => "",
  });

interface Endpoint {
  path: string;
  contentType: string;
  responseTo(request: BatchRequest): string;
}

/** Sends over concurrent connections, spread over the servers; each connection sends one request at a time. */
async function postAll(
  urls: readonly string[],
  requests: BatchRequest[],
  connections: number,
  { path, contentType, responseTo }: Endpoint,
): Promise<number[]> {
  const queue = requests.values();
  const timesMs: number[] = [];
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      const client = new KeepAliveClient(urls[connection % urls.length] ?? "", {
        "content-type": contentType,
      });
      for (const request of queue) {
        const { key, body, count } = request;
        const headers = { authorization: `Bearer ${key}` };
        const sentAt = performance.now();
        const { status, text } = await client.send(path, { method: "POST", body, headers });
        timesMs.push(performance.now() - sentAt);
        if (status !== 200 || text !== responseTo(request))
          throw new Error(`A batch of ${count} got ${status}: ${text}`);
      }
      client.close();
    }),
  );
  return timesMs;
}
