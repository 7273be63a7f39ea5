import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { CredentialWatch } from "../api-keys/credential-watch.ts";
import { callerOf, type Guards } from "../api-keys/guards.ts";
import type { App } from "../http/app-instance.ts";
import { textParam } from "../http/request/query-params.ts";
import { parseCursor } from "./cursor.ts";
import type { Live } from "./live.ts";

const DESCRIPTION = [
  "Server-sent events about changes to your traces, within a second of each commit on any server. The event `changes` " +
    "contains `traces` in commit order, each with its `id`, its `change` (new, replaced or deleted) and, unless it was " +
    "deleted, its `status`. The event `ready` follows when all earlier changes have been sent. The event `heartbeat` is " +
    "sent every 15 seconds. The event `issues` says that an issue changed, at most once a second.",
  "Every event except `heartbeat` and `issues` has an id. To resume, send the last id in the header `Last-Event-ID`, as browsers do, " +
    "or in `cursor`: the stream then continues after that event. If too many changes were missed, the event `resync` " +
    "tells the client to reload its lists.",
  "The stream ends when the session or key ends, when the server stops, and when the client reads too slowly.",
].join("\n\n");

const EXAMPLE =
  'event: changes\nid: 7.1767323045000000\ndata: {"traces":[{"id":"t1","change":"new","status":"RUNNING"}]}\n\n';

export function liveRoutes(
  app: App,
  { live, guards, credentials }: { live: Live; guards: Guards; credentials: CredentialWatch },
) {
  app.get(
    "/api/stream",
    {
      onRequest: guards.read,
      exposeHeadRoute: false,
      schema: {
        tags: ["Traces"],
        summary: "Stream changes to your traces",
        description: DESCRIPTION,
        querystring: z.object({
          cursor: textParam("Id of the last event received. The header `Last-Event-ID` takes precedence"),
        }),
        response: {
          200: {
            description: "A stream of events, open until either side closes it",
            content: { "text/event-stream": { schema: z.string().meta({ examples: [EXAMPLE] }) } },
          },
        },
        errors: { 429: ["Too many open streams"] },
      },
    },
    async (request, reply) => {
      const { workspaceId, credentialId } = callerOf(request);
      const given = request.headers["last-event-id"] ?? request.query.cursor;
      const cursor = given === undefined ? undefined : (parseCursor(String(given)) ?? "invalid");
      const events = live.open({ workspaceId, cursor });
      events.once(
        "close",
        credentials.watch(credentialId, () => events.end()),
      );
      return sendEvents(reply, events);
    },
  );
}

/** The headers tell proxies not to buffer or transform the events, and not to reuse the connection. */
const sendEvents = (reply: FastifyReply, events: Readable) =>
  reply
    .type("text/event-stream")
    .headers({ "cache-control": "no-store, no-transform", "x-accel-buffering": "no", connection: "close" })
    .send(events);
