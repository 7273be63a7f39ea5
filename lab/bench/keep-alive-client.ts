import { Agent, request } from "node:http";

interface ClientResponse {
  status: number;
  text: string;
}

interface RequestOptions {
  method?: string;
  body?: Buffer;
  headers?: Record<string, string>;
}

/** An HTTP client with one keep-alive connection and one request at a time. */
export class KeepAliveClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, headers: Record<string, string>) {
    this.#url = url;
    this.#headers = headers;
  }

  /** Resolves when the whole response has arrived. */
  send(path: string, { method = "GET", body, headers = {} }: RequestOptions = {}): Promise<ClientResponse> {
    return new Promise((resolve, reject) => {
      const options = {
        agent: this.#agent,
        method,
        headers: { ...this.#headers, ...headers, ...(body && { "content-length": String(body.length) }) },
      };
      const outgoing = request(this.#url + path, options, (incoming) => {
        const parts: Buffer[] = [];
        incoming.on("data", (part: Buffer) => parts.push(part));
        incoming.on("error", reject);
        incoming.on("end", () =>
          resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
        );
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  close() {
    this.#agent.destroy();
  }
}
