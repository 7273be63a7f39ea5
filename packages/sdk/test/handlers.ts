import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { serve } from "@hono/node-server";
import express from "express";
import { Hono } from "hono";
import { stream } from "hono/streaming";
import { flush, trace } from "../src/index.ts";
import type { Agent } from "./agents/agent.ts";

/*
 * Request handlers of four kinds, written as the documentation recommends. Each traces an agent and responds with its
 * answer, at once or as a stream that is read after the handler has returned.
 */

export interface Call {
  agent: Agent;
  isStreamed: boolean;
  traceId: string;
}

export interface Handler {
  name: string;
  /** Whether the process is frozen after the response, so that nothing can be sent later. */
  isFrozen?: boolean;
  /** Returns the body of the response. */
  respond(call: Call): Promise<string>;
  close?(): Promise<unknown>;
}

/** Next.js calls a route handler with a Request and sends the Response that it returns. */
const nextRouteHandler: Handler = {
  name: "route handler called as Next.js does",
  async respond({ agent, isStreamed, traceId }) {
    const POST = (_: Request): Promise<Response> =>
      trace("chat", { id: traceId }, async () => {
        if (!isStreamed) return new Response(await agent.reply());
        return (
          agent.toResponse?.() ?? new Response((await agent.stream()).pipeThrough(new TextEncoderStream()))
        );
      });
    const response = await POST(new Request("http://127.0.0.1/api/chat", { method: "POST" }));
    return response.text();
  },
};

async function startExpress(): Promise<Handler> {
  const app = express();
  const calls = new Map<string, Call>();
  app.post("/chat/:traceId", async (request, response) => {
    const { agent, isStreamed, traceId } = takeCall(calls, request.params.traceId);
    await trace("chat", { id: traceId }, async () => {
      if (!isStreamed) response.send(await agent.reply());
      else if (agent.pipeToResponse) agent.pipeToResponse(response);
      else Readable.from(await agent.stream()).pipe(response);
    });
  });
  const server = createServer(app);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return overHttp("handler of Express", server, calls);
}

async function startHono(): Promise<Handler> {
  const app = new Hono();
  const calls = new Map<string, Call>();
  app.post("/chat/:traceId", (context) => {
    const { agent, isStreamed, traceId } = takeCall(calls, context.req.param("traceId"));
    return trace("chat", { id: traceId }, async () => {
      if (!isStreamed) return context.text(await agent.reply());
      return (
        agent.toResponse?.() ??
        stream(context, async (output) => {
          for await (const text of await agent.stream()) await output.write(text);
        })
      );
    });
  });
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  await once(server, "listening");
  return overHttp("handler of Hono", server as Server, calls);
}

/** Lambda freezes the process as soon as the promise of the handler has resolved. */
const lambdaHandler: Handler = {
  name: "handler called as Lambda does",
  isFrozen: true,
  async respond({ agent, isStreamed, traceId }) {
    const handler = async (): Promise<string> => {
      try {
        return await trace("chat", { id: traceId }, () => agent.reply());
      } finally {
        await flush();
      }
    };
    const streamingHandler = async (_: unknown, output: Writable): Promise<void> => {
      try {
        const answer = await trace("chat", { id: traceId }, () => agent.stream());
        await pipeline(Readable.from(answer), output);
      } finally {
        await flush();
      }
    };
    if (!isStreamed) return handler();
    let body = "";
    const output = new Writable({
      decodeStrings: false,
      write(chunk, _, done) {
        body += chunk;
        done();
      },
    });
    await streamingHandler({}, output);
    return body;
  },
};

export const startHandlers = async (): Promise<Handler[]> => [
  nextRouteHandler,
  await startExpress(),
  await startHono(),
  lambdaHandler,
];

function overHttp(name: string, server: Server, calls: Map<string, Call>): Handler {
  const { port } = server.address() as AddressInfo;
  return {
    name,
    async respond(call) {
      calls.set(call.traceId, call);
      const response = await fetch(`http://127.0.0.1:${port}/chat/${call.traceId}`, { method: "POST" });
      return response.text();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function takeCall(calls: Map<string, Call>, traceId: string): Call {
  const call = calls.get(traceId);
  if (!call) throw new Error(`no call for trace ${traceId}`);
  calls.delete(traceId);
  return call;
}
