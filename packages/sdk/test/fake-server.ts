import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeServer {
  url: string;
  close(): Promise<void>;
}

/** Starts an HTTP server on loopback whose responses the test defines. */
export async function startFakeServer(
  respond: (request: IncomingMessage, response: ServerResponse, body: string) => void | Promise<void>,
): Promise<FakeServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => {});
    response.on("error", () => {});
    for await (const chunk of request) chunks.push(chunk);
    await respond(request, response, Buffer.concat(chunks).toString());
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

export function respondJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
