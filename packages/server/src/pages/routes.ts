import fastifyStatic from "@fastify/static";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { SessionGuard } from "../auth/require-session.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { findFolder } from "./find-folder.ts";

const PUBLIC_PAGES = [
  "/login",
  "/register",
  "/forgot-password",
  "/reset-password",
  "/verify-email",
  "/invitation",
  "/cli",
];
/** Shows one trace to everybody who has its link. */
const SHARED_PAGE = "/shared/:token";
/** Pages that redirect to the sign-in page without a session. */
export const PRIVATE_PAGES = [
  "/",
  "/welcome",
  "/traces",
  "/traces/:id",
  "/decisions",
  "/why",
  "/why/:signature",
  "/issues",
  "/issues/:number",
  "/alerts",
  "/agents",
  "/agents/:agent",
  "/agents/:agent/releases",
  "/scores",
  "/scores/review",
  "/compare",
  "/sessions",
  "/sessions/:id",
  "/settings/general",
  "/settings/api-keys",
  "/settings/members",
  "/settings/audit",
  "/workspaces/new",
  "/settings/outcomes",
  "/settings/masking",
  "/settings/links",
  "/settings/prices",
  "/settings/billing",
  "/settings/account",
  "/settings/sign-in",
];
const FIRST_SETTINGS = "/settings/api-keys";
const ROOT_FILES = ["theme.js", "icon.svg"];

interface PageRoutesOptions {
  guard: SessionGuard;
  /** Whether a page may be opened without a session. Its data are another matter. */
  isPublic: (request: FastifyRequest) => boolean;
  /** The dashboard's build, with a slash at the end. */
  folder?: string | undefined;
}

/** Serves the dashboard: index.html for every page, and its assets. */
export async function pageRoutes(
  app: App,
  { guard, isPublic, folder = findFolder("dashboard") }: PageRoutesOptions,
) {
  if (folder)
    await app.register(fastifyStatic, {
      root: folder,
      prefix: "/assets/",
      // File names contain a content hash, so a file never changes.
      maxAge: "1y",
      immutable: true,
      preCompressed: true,
      index: false,
      serve: false,
    });

  const send = (reply: FastifyReply, file: string, isImmutable = false) => {
    if (!folder) throw new HttpError(503, "The dashboard is not built. Run npm run build.");
    // The browser revalidates pages each time, so that they refer to the newest assets.
    return reply
      .header("cache-control", isImmutable ? "public, max-age=31536000, immutable" : "no-cache")
      .sendFile(file, { cacheControl: false });
  };

  for (const path of PUBLIC_PAGES) app.get(path, (_request, reply) => send(reply, "index.html"));
  app.get(SHARED_PAGE, (_request, reply) =>
    send(reply.header("x-robots-tag", "noindex, nofollow"), "index.html"),
  );
  for (const path of PRIVATE_PAGES)
    app.get(path, { onRequest: redirectToSignIn(guard, isPublic) }, (_request, reply) =>
      send(reply, "index.html"),
    );
  app.get("/settings", ({ originalUrl, url }, reply) =>
    // The prefix of a workspace stays.
    reply.redirect(`${originalUrl.slice(0, originalUrl.length - url.length)}${FIRST_SETTINGS}`, 302),
  );
  for (const file of ROOT_FILES) app.get(`/${file}`, (_request, reply) => send(reply, file));
  app.get<{ Params: { "*": string } }>("/assets/*", (request, reply) =>
    send(reply, `assets/${request.params["*"]}`, true),
  );
}

/** Without a session even the page is refused, not only its data. */
function redirectToSignIn(guard: SessionGuard, isPublic: PageRoutesOptions["isPublic"]) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (isPublic(request)) return;
    try {
      await guard(request);
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 401) throw error;
      return reply.redirect(`/login?next=${encodeURIComponent(request.originalUrl)}`, 302);
    }
  };
}
