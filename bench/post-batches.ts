import { KeepAliveClient } from "./keep-alive-client.ts";

export interface Posting {
  key: string;
  body: Buffer;
  count: number;
}

/**
 * Posts the batches over so many connections at once, spread over the servers; each takes the next when it has its
 * answer. Returns how long each took.
 */
export async function postBatches(
  urls: readonly string[],
  postings: Posting[],
  connections: number,
): Promise<number[]> {
  const queue = postings.values();
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
          throw new Error(`A batch of ${count} was answered ${status}: ${text}`);
      }
      client.close();
    }),
  );
  return timesMs;
}
