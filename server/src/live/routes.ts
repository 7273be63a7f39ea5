import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { App } from "../http/app-instance.ts";
import { textParam } from "../http/query-params.ts";
import { parseCursor } from "./cursor.ts";
import type { Live } from "./live.ts";

const DESCRIPTION = [
  "Server-sent events about your traces, each within a second of its commit, from whichever server took it. `changes` " +
    "carries `traces`, in the order committed, each with its `id`, what happened (`change`: new, replaced or deleted) " +
    "and, unless it was deleted, its `status`. `ready` says that everything so far has been told, `heartbeat` every 15 " +
    "seconds that the line is alive.",
  "Every event but the heartbeat has an id. A client that comes back with the last one it saw, in `Last-Event-ID` as " +
    "browsers do or in `cursor`, is told everything since. Where that is too much, or too long ago, `resync` says to " +
    "read the lists anew.",
  "The stream ends when the session does, when the server stops, and when its reader does not keep up.",
].join("\n\n");

const EXAMPLE =
  'event: changes\nid: 7.1767323045000000\ndata: {"traces":[{"id":"t1","change":"new","status":"RUNNING"}]}\n\n';

export function liveRoutes(app: App, { live, guard }: { live: Live; guard: SessionGuard }) {
  app.get(
    "/api/stream",
    {
      onRequest: guard,
      exposeHeadRoute: false,
      schema: {
        tags: ["Traces"],
        summary: "What happens to your traces, as it happens",
        description: DESCRIPTION,
        querystring: z.object({
          cursor: textParam("The id of the last event seen; the header Last-Event-ID goes first"),
        }),
        response: {
          200: {
            description: "Events, until one side hangs up",
            content: { "text/event-stream": { schema: z.string().meta({ examples: [EXAMPLE] }) } },
          },
        },
        errors: { 429: ["Too many open streams"] },
      },
    },
    async (request, reply) => {
      const { id: sessionId, user } = sessionOf(request);
      const given = request.headers["last-event-id"] ?? request.query.cursor;
      const cursor = given === undefined ? undefined : (parseCursor(String(given)) ?? "lost");
      return sendEvents(reply, live.open({ userId: user.id, sessionId, cursor }));
    },
  );
}

/** Proxies are to pass each event on as it is, at once; and the line is of no use to another request. */
const sendEvents = (reply: FastifyReply, events: Readable) =>
  reply
    .type("text/event-stream")
    .headers({ "cache-control": "no-store, no-transform", "x-accel-buffering": "no", connection: "close" })
    .send(events);
