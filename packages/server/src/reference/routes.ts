import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import swagger from "@fastify/swagger";
import { z } from "zod";
import type { Guards } from "../api-keys/guards.ts";
import type { SessionCookie } from "../auth/session-cookie.ts";
import type { App } from "../http/app-instance.ts";
import { sendJson } from "../http/write-json.ts";
import { describeRoute } from "./describe-route.ts";
import { apiDocument } from "./document.ts";
import { INTRODUCTION, TAGS } from "./introduction.ts";
import { renderPage } from "./render-page.ts";

// Resolves to the same file from src and from dist, so the build does not copy it.
const STYLESHEET = new URL("../../src/reference/api.css", import.meta.url);
const COLOURS = createRequire(import.meta.url).resolve("@whytrace/contract/colours.css");

interface ReferenceRoutesOptions {
  guards: Guards;
  cookie: SessionCookie;
  publicUrl: string;
  version: string;
}

/** Documents every route that is registered after this call. The document and the page are generated at the first request. */
export async function referenceRoutes(
  app: App,
  { guards, cookie, publicUrl, version }: ReferenceRoutesOptions,
) {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Whytrace API", version, description: INTRODUCTION },
      servers: [{ url: publicUrl }],
      tags: TAGS,
      components: {
        securitySchemes: {
          session: {
            type: "apiKey",
            in: "cookie",
            name: cookie.name,
            description: "Set by POST /api/auth/login, valid for 7 days",
          },
          apiKey: {
            type: "http",
            scheme: "bearer",
            description:
              "An API key, `wt_…`, created by POST /api/keys with the scope that an operation names; review includes read",
          },
        },
      },
    },
    convertConstToEnum: false,
    transform: describeRoute(guards),
  });

  const stylesheet =
    followSystemTheme(await readFile(COLOURS, "utf8")) + (await readFile(STYLESHEET, "utf8"));
  // Generated at the first request: it takes as long as a quarter of the server's start.
  // Bytes, so that any number of slow readers share them.
  let generated: { json: Buffer; page: Buffer } | undefined;
  const reference = () => {
    if (!generated) {
      const document = app.swagger();
      generated = {
        json: Buffer.from(JSON.stringify(document)),
        page: Buffer.from(renderPage(apiDocument.parse(document))),
      };
    }
    return generated;
  };

  app.get(
    "/api/openapi.json",
    {
      schema: {
        tags: ["Operation"],
        summary: "Get this reference as an OpenAPI 3.1 document",
        response: { 200: z.looseObject({ openapi: z.string() }) },
      },
    },
    async (_request, reply) => sendJson(reply, reference().json),
  );
  app.get("/docs/api", async (_request, reply) =>
    reply.type("text/html; charset=utf-8").send(reference().page),
  );
  app.get("/docs/api.css", async (_request, reply) => reply.type("text/css; charset=utf-8").send(stylesheet));
}

/** Converts the dashboard's colours: the system setting selects the theme, instead of a switch. */
function followSystemTheme(colours: string): string {
  return colours
    .replace(/^@theme/m, ":root")
    .replace(/\[data-theme="dark"\] (\{[^}]*\})/, "@media (prefers-color-scheme: dark) { :root $1 }");
}
