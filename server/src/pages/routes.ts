import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { SessionGuard } from "../auth/require-session.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";

// In a checkout, the dashboard's own build; in the published package, the copy packed with it. Both the same from src
// and from dist.
const FOLDERS = ["../../../dashboard/dist/", "../../dashboard/"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Pages before one is signed in. */
const OPEN_PAGES = ["/login", "/register", "/forgot-password", "/reset-password", "/verify-email"];
/** Pages that belong to somebody: who is signed out is sent to sign in, and back. */
const OWN_PAGES = [
  "/",
  "/welcome",
  "/traces",
  "/traces/:id",
  "/decisions",
  "/sessions",
  "/sessions/:id",
  "/settings/api-keys",
  "/settings/billing",
  "/settings/account",
];
const LOOSE_FILES = ["theme.js", "icon.svg"];

/** The dashboard: one document for every page, and the files it loads. */
export async function pageRoutes(app: App, { guard }: { guard: SessionGuard }) {
  const folder = FOLDERS.find((one) => existsSync(`${one}index.html`));
  if (folder)
    await app.register(fastifyStatic, {
      root: folder,
      prefix: "/assets/",
      // Names carry a hash of the content: what they name never changes.
      maxAge: "1y",
      immutable: true,
      preCompressed: true,
      index: false,
      serve: false,
    });

  const send = (reply: FastifyReply, file: string, isImmutable = false) => {
    if (!folder) throw new HttpError(503, "The dashboard is not built. Run npm run build.");
    // A page is asked for anew each time, so that it names the newest files.
    return reply
      .header("cache-control", isImmutable ? "public, max-age=31536000, immutable" : "no-cache")
      .sendFile(file, { cacheControl: false });
  };

  for (const path of OPEN_PAGES) app.get(path, (_request, reply) => send(reply, "index.html"));
  for (const path of OWN_PAGES)
    app.get(path, { onRequest: orSignIn(guard) }, (_request, reply) => send(reply, "index.html"));
  for (const file of LOOSE_FILES) app.get(`/${file}`, (_request, reply) => send(reply, file));
  app.get<{ Params: { "*": string } }>("/assets/*", (request, reply) =>
    send(reply, `assets/${request.params["*"]}`, true),
  );
}

/** The server refuses the page itself, not only its data. */
function orSignIn(guard: SessionGuard) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      await guard(request);
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 401) throw error;
      return reply.redirect(`/login?next=${encodeURIComponent(request.url)}`, 302);
    }
  };
}
