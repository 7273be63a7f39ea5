import { KeepAliveClient } from "./keep-alive-client.ts";

export interface Posting {
  key: string;
  body: Buffer;
  count: number;
}

/** Posts the batches over so many connections at once; each takes the next when it has its answer. */
export async function postBatches(url: string, postings: Posting[], connections: number): Promise<void> {
  const queue = postings.values();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new KeepAliveClient(url, { "content-type": "application/json" });
      for (const { key, body, count } of queue) {
        const headers = { authorization: `Bearer ${key}` };
        const { status, text } = await client.send("/api/traces", { method: "POST", body, headers });
        if (status !== 200 || text !== JSON.stringify({ success: true, count }))
          throw new Error(`A batch of ${count} was answered ${status}: ${text}`);
      }
      client.close();
    }),
  );
}
