import { HttpError } from "../http/http-error.ts";

/** Validates a redirect target: its parsed origin must be allowed, which prevents open redirects. */
export function redirectUrl(
  target: string | undefined,
  fallback: string,
  allowedOrigins: ReadonlySet<string>,
): string {
  if (target === undefined) return fallback;
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (!url || !allowedOrigins.has(url.origin) || url.username !== "" || url.password !== "")
    throw new HttpError(400, "Redirect URL is not allowed");
  return url.href;
}
