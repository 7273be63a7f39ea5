import { changedNotifications, notificationSettings } from "@whytrace/contract/schemas/issues/notifications";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { SessionGuard } from "../auth/require-session.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { memberOf } from "../workspaces/require-member.ts";
import { changeMailSettings, readMailSettings } from "./notification-settings.ts";
import { unsubscribe } from "./unsubscribe.ts";

const UNKNOWN_LINK = "This link is unknown or has expired";
const MAX_FORM_BYTES = 1_024;
const query = z.object({ token: z.string() });

/** Which mails a member gets. */
export function notificationRoutes(app: App, { db, guard }: { db: Database; guard: SessionGuard }) {
  const tags = ["Account settings"];

  app.get(
    "/api/notifications",
    {
      onRequest: guard,
      schema: {
        tags,
        summary: "Say which mails you get about this workspace",
        description: "Mails go to members whose address is verified. All are on by default.",
        response: { 200: notificationSettings },
      },
    },
    async (request) => {
      const { workspaceId, user } = memberOf(request);
      return { mail: await readMailSettings(db, workspaceId, user.id) };
    },
  );

  app.put(
    "/api/notifications",
    {
      onRequest: guard,
      schema: {
        tags,
        summary: "Choose which mails you get about this workspace",
        description: "Fields that are left out do not change.",
        body: changedNotifications,
        response: { 200: notificationSettings },
      },
    },
    async (request) => {
      const { workspaceId, user } = memberOf(request);
      return { mail: await changeMailSettings(db, workspaceId, user.id, request.body.mail) };
    },
  );

  // Mail clients send a form, without a session. The token says what ends, and for whom.
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: MAX_FORM_BYTES },
      (_request, _body, done) => done(null, undefined),
    );
    scope.get("/unsubscribe", { schema: { querystring: query } }, async (request, reply) =>
      sendPage(
        reply,
        `<p>Do you want to end mails of this kind?</p>
<form method="post" action="/unsubscribe?token=${encodeURIComponent(request.query.token)}"><button>End these mails</button></form>`,
      ),
    );
    scope.post(
      "/unsubscribe",
      { config: { ignoresCookies: true }, schema: { querystring: query } },
      async (request, reply) => {
        if (!(await unsubscribe(db, request.query.token))) throw new HttpError(404, UNKNOWN_LINK);
        return sendPage(
          reply,
          "<p>You get no more mails of this kind. You can turn them on again in your settings.</p>",
        );
      },
    );
  });
}

const sendPage = (reply: FastifyReply, body: string) =>
  reply
    .type("text/html; charset=utf-8")
    .header("cache-control", "no-store")
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mails of Whytrace</title></head><body><h1>Whytrace</h1>${body}</body></html>`,
    );
