import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A TCP proxy between a server and its database, so that a test can interrupt the connection and restore it. */
export class DatabaseProxy {
  readonly #target: URL;
  /** Each socket with the one that its bytes go to. */
  readonly #directions = new Map<Socket, Socket>();
  #server: Server | undefined;
  #port = 0;
  #isStalled = false;
  readonly #onSent: ((bytes: Buffer) => void) | undefined;

  /** `onSent` gets what the server sends to the database. */
  constructor(databaseUrl: string, onSent?: (bytes: Buffer) => void) {
    this.#target = new URL(databaseUrl);
    this.#onSent = onSent;
  }

  /** Starts listening, always on the same port, and returns the database URL that goes through the proxy. */
  async open(): Promise<string> {
    this.#server = createServer((incoming) => {
      const outgoing = connect(Number(this.#target.port || 5432), this.#target.hostname);
      if (this.#onSent) incoming.on("data", this.#onSent);
      for (const [from, to] of [
        [incoming, outgoing],
        [outgoing, incoming],
      ] as const) {
        this.#directions.set(from, to);
        if (!this.#isStalled) from.pipe(to);
        from.on("error", () => to.destroy());
        from.on("close", () => {
          this.#directions.delete(from);
          to.destroy();
        });
      }
    }).listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
    const url = new URL(this.#target);
    url.host = `127.0.0.1:${this.#port}`;
    return url.href;
  }

  /** Holds back every byte, like a network that drops packets: on open connections and, unless told otherwise, on new ones. */
  stall({ newConnections = true } = {}): void {
    this.#isStalled = newConnections;
    for (const [from, to] of this.#directions) from.unpipe(to);
  }

  /** Forwards what was held back. */
  resume(): void {
    this.#isStalled = false;
    for (const [from, to] of this.#directions) from.pipe(to);
  }

  /** Drops every connection and refuses new ones. */
  async disconnect(): Promise<void> {
    for (const socket of this.#directions.keys()) socket.destroy();
    await new Promise((closed) => this.#server?.close(closed));
  }
}
