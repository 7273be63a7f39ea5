import { once } from "node:events";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import type { TraceChange } from "@whytrace/contract";
import { expect } from "vitest";
import type { Client } from "./client.ts";

interface ReadEvent {
  event: string;
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape it expects
  data: any;
}

/** Reads a stream of server-sent events like a browser and records every event. */
export class EventReader {
  readonly events: ReadEvent[] = [];
  readonly response: IncomingMessage;
  lastEventId: string | undefined;
  isEnded = false;
  readonly #request: ClientRequest;

  private constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request;
    this.response = response;
    let text = "";
    response.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) this.#read(block);
    });
    response.on("error", () => {});
    response.once("close", () => {
      this.isEnded = true;
    });
  }

  static async open(client: Client, cursor?: string): Promise<EventReader> {
    const request = get(client.url + client.pathOf("GET", "/api/stream"), {
      agent: false,
      headers: {
        ...(client.cookie && { cookie: client.cookie }),
        ...(cursor && { "last-event-id": cursor }),
      },
    });
    const [response] = await once(request, "response");
    request.on("error", () => {});
    return new EventReader(request, response);
  }

  #read(block: string) {
    const fields = new Map(
      block.split("\n").map((line) => [line.split(": ", 1)[0] ?? "", line.slice(line.indexOf(": ") + 2)]),
    );
    const event = fields.get("event");
    if (!event) return;
    this.lastEventId = fields.get("id") ?? this.lastEventId;
    this.events.push({ event, id: fields.get("id") ?? "", data: JSON.parse(fields.get("data") ?? "null") });
  }

  /** Every change received so far, in order. */
  get changes(): TraceChange[] {
    return this.events.filter(({ event }) => event === "changes").flatMap(({ data }) => data.traces);
  }

  get ids(): string[] {
    return this.changes.map(({ id }) => id);
  }

  async until(event: string, timeoutMs = 30_000): Promise<void> {
    await expect
      .poll(() => this.events.map((one) => one.event), { timeout: timeoutMs, interval: 5 })
      .toContain(event);
  }

  close() {
    this.#request.destroy();
  }
}
