import { z } from "zod";
import { placeOf } from "../auth/origin-of.ts";
import type { SessionCookie } from "../auth/session-cookie.ts";
import { findSession } from "../auth/sessions.ts";
import type { StartSession } from "../auth/start-session.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import type { TakeBack } from "./prove-address.ts";
import { SIGN_IN_LINK_PATH, useSignInLink } from "./sign-in-link.ts";

const INVALID_LINK =
  "This sign-in link was used already or is older than ten minutes.\n" +
  "Make a new one with `whytrace admin link <email>`, or start `whytrace dev` again.\n";

interface SignInLinkRoutesOptions {
  db: Database;
  cookie: SessionCookie;
  startSession: StartSession;
  takeBack: TakeBack;
}

export function signInLinkRoutes(app: App, { db, cookie, startSession, takeBack }: SignInLinkRoutesOptions) {
  app.get(
    SIGN_IN_LINK_PATH,
    {
      // A HEAD request, as link checkers send it, must not consume the token.
      exposeHeadRoute: false,
      schema: { querystring: z.object({ token: z.string().max(200).default("") }) },
    },
    async (request, reply) => {
      reply.header("cache-control", "no-store");
      const presented = cookie.read(request);
      const proof = {
        session: presented === undefined ? undefined : await findSession(db, presented),
        takeBack,
      };
      const session = await useSignInLink(db, request.query.token, placeOf(request), proof);
      if (session === undefined) return reply.code(400).type("text/plain; charset=utf-8").send(INVALID_LINK);
      await startSession(request, reply, { userId: session.user.id, token: session.token });
      return reply.redirect("/", 302);
    },
  );
}
