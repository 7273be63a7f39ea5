import cookie from "@fastify/cookie";
import type { App } from "../http/app-instance.ts";
import { PrivateCookie } from "./private-cookie.ts";

export const SESSION_SECONDS = 7 * 24 * 3_600;

/** The cookie that holds the session token. */
export class SessionCookie extends PrivateCookie {
  constructor(publicUrl: string) {
    super(publicUrl, "whytrace_session", SESSION_SECONDS);
  }

  async register(app: App) {
    await app.register(cookie);
  }
}
