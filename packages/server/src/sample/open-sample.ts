import { type PublicReader, READ_ONLY } from "../api-keys/guards.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import type { PathPrefix } from "../http/request/path-prefix.ts";
import type { Sample } from "./sample.ts";

/** They hold connections, of which visitors could take any number. */
const CLOSED = new Set(["/api/stream", "/mcp"]);
const READING = new Set(["GET", "HEAD"]);

/** Refuses whatever does not read. Undefined `sample`: it is switched off, and nothing is below the prefix. */
export function openSample(app: App, prefix: PathPrefix, sample: Sample | undefined): PublicReader {
  const isAsked = prefix.isOf.bind(prefix);
  app.addHook("onRequest", async (request) => {
    if (!isAsked(request)) return;
    if (!sample || CLOSED.has(request.routeOptions.url ?? "")) throw new HttpError(404, "Not found");
    if (!READING.has(request.method)) throw new HttpError(403, READ_ONLY);
  });
  return {
    isAsked,
    admit: () => (sample ? sample.admit() : Promise.reject(new HttpError(404, "Not found"))),
  };
}
