import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { afterFile } from "../after-file.ts";

interface ReceivedHook {
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape it expects
  json: any;
}

export interface HookAnswer {
  status?: number;
  headers?: OutgoingHttpHeaders;
  body?: string;
  /** Closes the connection in the middle of the body. */
  isCutOff?: boolean;
  /** Never answers. */
  isHung?: boolean;
}

/** A receiver of webhooks on loopback, which answers as a test says. */
export class HookReceiver {
  readonly got: ReceivedHook[] = [];
  answer: (hook: ReceivedHook, count: number) => HookAnswer | undefined = () => undefined;
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const raw = Buffer.concat(parts).toString();
      const hook = { path: request.url ?? "", headers: request.headers, raw, json: JSON.parse(raw) };
      this.got.push(hook);
      const {
        status = 200,
        headers = {},
        body = "ok",
        isCutOff = false,
        isHung = false,
      } = this.answer(hook, this.got.length) ?? {};
      if (isHung) return;
      if (isCutOff) {
        response.writeHead(status, { ...headers, "content-length": "1000" }).write(body);
        setImmediate(() => response.destroy());
      } else response.writeHead(status, headers).end(body);
    });
  });

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    afterFile(async () => {
      this.#server.closeAllConnections();
      this.#server.close();
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What was received at a path. */
  at = (path: string) => this.got.filter((hook) => hook.path === path);

  /** Waits until so many were received at a path. */
  async waitFor(path: string, count: number, timeoutMs = 20_000): Promise<ReceivedHook[]> {
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(20)) {
      const found = this.at(path);
      if (found.length >= count) return found;
    }
    throw new Error(`${this.at(path).length} of ${count} messages at ${path} within ${timeoutMs} ms`);
  }
}

/** Whether a secret signed a message less than 5 minutes ago, by a receiver's library and not by our code. */
export function isSignedBy({ headers, raw }: ReceivedHook, secret: string): boolean {
  const text = (name: string) => String(headers[name]);
  try {
    new Webhook(secret).verify(raw, {
      "webhook-id": text("webhook-id"),
      "webhook-timestamp": text("webhook-timestamp"),
      "webhook-signature": text("webhook-signature"),
    });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}
