import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface StandIn {
  url: string;
  close(): Promise<void>;
}

/** An HTTP server on loopback that answers as a test says. */
export async function startStandIn(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void | Promise<void>,
): Promise<StandIn> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => {});
    response.on("error", () => {});
    for await (const chunk of request) chunks.push(chunk);
    await answer(request, response, Buffer.concat(chunks).toString());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export function answerJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
