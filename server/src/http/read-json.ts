import type { App } from "./app-instance.ts";
import { HttpError } from "./http-error.ts";

/** Ordinary endpoints take small JSON bodies and nothing else: a form of another site cannot even send one. */
export const BODY_LIMIT_BYTES = 64 * 1024;

export function readJson(app: App) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string" },
    async (_request: unknown, text: string) => {
      // Clients set the header on every POST, also where there is nothing to say.
      if (text === "") return undefined;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw new HttpError(400, "Invalid JSON in request body");
      }
    },
  );
}
