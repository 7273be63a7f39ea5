import cors from "@fastify/cors";
import type { FastifyRequest } from "fastify";
import type { App } from "./app-instance.ts";
import { HttpError } from "./http-error.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** One whitelist of exact origins decides who may read answers (CORS) and who may act with the cookie. */
export async function guardCrossSite(app: App, allowedOrigins: ReadonlySet<string>) {
  await app.register(cors, {
    origin: (origin, decide) =>
      decide(null, origin !== undefined && allowedOrigins.has(origin) ? origin : false),
    credentials: true,
    methods: ["GET", "HEAD", "POST", "PATCH", "DELETE"],
    exposedHeaders: ["retry-after", "x-request-id"],
    maxAge: 600,
    strictPreflight: false,
  });

  app.addHook("onRequest", async (request) => {
    if (SAFE_METHODS.has(request.method) || request.headers.cookie === undefined) return;
    if (!isOwnSite(request, allowedOrigins))
      throw new HttpError(403, "Cross-site request refused: this origin is not allowed");
  });
}

/** `Origin` decides when it is sent, `Sec-Fetch-Site` otherwise; whoever sends neither is no browser. */
function isOwnSite({ headers }: FastifyRequest, allowedOrigins: ReadonlySet<string>): boolean {
  if (headers.origin !== undefined) return allowedOrigins.has(headers.origin);
  const site = headers["sec-fetch-site"];
  return site === undefined || site === "same-origin" || site === "none";
}
