import { HttpError } from "../http/http-error.ts";

/** An absolute address of one of our own origins, by what it parses to and not by how it looks. */
export function redirectUrl(
  text: string | undefined,
  fallback: string,
  allowedOrigins: ReadonlySet<string>,
): string {
  if (text === undefined) return fallback;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !allowedOrigins.has(url.origin) || url.username !== "" || url.password !== "")
    throw new HttpError(400, "Redirect URL is not allowed");
  return url.href;
}
