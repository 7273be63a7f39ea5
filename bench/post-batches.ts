import { KeepAliveClient } from "./keep-alive-client.ts";

export interface BatchRequest {
  key: string;
  body: Buffer;
  count: number;
}

/**
 * Sends the batches over concurrent connections, spread over the servers; each connection sends one request at a time.
 * Returns the duration of each request.
 */
export async function postBatches(
  urls: readonly string[],
  requests: BatchRequest[],
  connections: number,
): Promise<number[]> {
  const queue = requests.values();
  const timesMs: number[] = [];
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      const client = new KeepAliveClient(urls[connection % urls.length] ?? "", {
        "content-type": "application/json",
      });
      for (const { key, body, count } of queue) {
        const headers = { authorization: `Bearer ${key}` };
        const sentAt = performance.now();
        const { status, text } = await client.send("/api/traces", { method: "POST", body, headers });
        timesMs.push(performance.now() - sentAt);
        if (status !== 200 || text !== JSON.stringify({ success: true, count }))
          throw new Error(`A batch of ${count} got ${status}: ${text}`);
      }
      client.close();
    }),
  );
  return timesMs;
}
