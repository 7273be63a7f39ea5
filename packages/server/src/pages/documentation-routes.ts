import fastifyStatic from "@fastify/static";
import type { FastifyReply } from "fastify";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { findFolder } from "./find-folder.ts";

/** Browsers show these instead of saving them. */
const TEXT = /\.(md|txt|ya?ml|conf|service|sh|ts|sql|example)$|\/[A-Z][a-z]+$/;

/** Serves the documentation of this version, as its site was built: pages without an ending, and each as Markdown. */
export async function documentationRoutes(app: App, folder = findFolder("documentation")) {
  // Within a scope of its own, because the dashboard has another root.
  await app.register(async (scope) => {
    if (folder)
      await scope.register(fastifyStatic, {
        root: folder,
        prefix: "/docs/",
        preCompressed: true,
        index: false,
        serve: false,
        cacheControl: false,
      });

    const send = (reply: FastifyReply, file: string) => {
      if (!folder) throw new HttpError(503, "The documentation is not built. Run npm run build.");
      const isHashed = file.startsWith("assets/");
      reply.header("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
      if (TEXT.test(file))
        reply.type(file.endsWith(".md") ? "text/markdown; charset=utf-8" : "text/plain; charset=utf-8");
      return reply.sendFile(file);
    };

    scope.get("/docs", (_request, reply) => send(reply, "index.html"));
    scope.get("/llms.txt", (_request, reply) => send(reply, "llms.txt"));
    scope.get<{ Params: { "*": string } }>("/docs/*", (request, reply) => {
      const path = request.params["*"];
      if (path === "") return reply.redirect("/docs", 302);
      const isFile = path.startsWith("files/") || /\.[a-z]+$/.test(path);
      return send(reply, isFile ? path : `${path}.html`);
    });
  });
}
