import { z } from "zod";
import type { StartSession } from "../auth/start-session.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { SIGN_IN_LINK_PATH, useSignInLink } from "./sign-in-link.ts";

const INVALID_LINK =
  "This sign-in link was used already or is older than ten minutes.\n" +
  "Make a new one with `whytrace admin link <email>`, or start `whytrace dev` again.\n";

export function signInLinkRoutes(
  app: App,
  { db, startSession }: { db: Database; startSession: StartSession },
) {
  app.get(
    SIGN_IN_LINK_PATH,
    {
      // A HEAD request, as link checkers send it, must not consume the token.
      exposeHeadRoute: false,
      schema: { querystring: z.object({ token: z.string().max(200).default("") }) },
    },
    async (request, reply) => {
      const { query, headers } = request;
      reply.header("cache-control", "no-store");
      const session = await useSignInLink(db, query.token, headers["user-agent"]);
      if (session === undefined) return reply.code(400).type("text/plain; charset=utf-8").send(INVALID_LINK);
      await startSession(request, reply, session);
      return reply.redirect("/", 302);
    },
  );
}
