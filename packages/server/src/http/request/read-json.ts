import type { App } from "../app-instance.ts";
import { HttpError } from "../http-error.ts";

/** Limit for all endpoints except ingest and webhooks. */
export const BODY_LIMIT_BYTES = 64 * 1024;

/** Accepts JSON bodies only: an HTML form on another site cannot send them. */
export function readJson(app: App) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string" },
    async (_request: unknown, text: string) => {
      // Some clients send the Content-Type header with an empty body.
      if (text === "") return undefined;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw new HttpError(400, "Invalid JSON in request body");
      }
    },
  );
}
