import cors from "@fastify/cors";
import type { FastifyRequest } from "fastify";
import type { App } from "./app-instance.ts";
import { HttpError } from "./http-error.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route acts for nobody, so a request with a cookie from another site does no harm. */
    ignoresCookies?: boolean;
  }
}

/** The configuration of a route that pages of every origin may call, and whose response they may read. */
export const openToAnyOrigin = {
  ignoresCookies: true,
  cors: {
    origin: "*",
    credentials: false,
    methods: ["POST", "OPTIONS"],
    allowedHeaders: ["content-type"],
    exposedHeaders: ["retry-after", "x-error-path"],
    maxAge: 86_400,
  },
};

/** One list of exact origins decides who may read responses (CORS) and who may send requests with the cookie (CSRF). */
export async function guardCrossSite(app: App, allowedOrigins: ReadonlySet<string>) {
  await app.register(cors, {
    origin: (origin, decide) =>
      decide(null, origin !== undefined && allowedOrigins.has(origin) ? origin : false),
    credentials: true,
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    exposedHeaders: ["retry-after", "x-error-path", "x-request-id"],
    maxAge: 600,
    strictPreflight: false,
  });

  app.addHook("onRequest", async (request) => {
    if (SAFE_METHODS.has(request.method) || request.headers.cookie === undefined) return;
    if (request.routeOptions.config.ignoresCookies) return;
    if (!isOwnSite(request, allowedOrigins))
      throw new HttpError(403, "Cross-site request refused: this origin is not allowed");
  });
}

/** Checks `Origin` if present, otherwise `Sec-Fetch-Site`. A client that sends neither is not a browser. */
function isOwnSite({ headers }: FastifyRequest, allowedOrigins: ReadonlySet<string>): boolean {
  if (headers.origin !== undefined) return allowedOrigins.has(headers.origin);
  const site = headers["sec-fetch-site"];
  return site === undefined || site === "same-origin" || site === "none";
}
