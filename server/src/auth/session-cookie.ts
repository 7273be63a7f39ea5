import cookie from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../http/app-instance.ts";

export const SESSION_SECONDS = 7 * 24 * 3_600;

/** The cookie that holds the session token. */
export class SessionCookie {
  readonly name: string;
  readonly #isSecure: boolean;

  constructor(publicUrl: string) {
    this.#isSecure = publicUrl.startsWith("https:");
    this.name = this.#isSecure ? "__Host-whytrace_session" : "whytrace_session";
  }

  async register(app: App) {
    await app.register(cookie);
  }

  read(request: FastifyRequest): string | undefined {
    return request.cookies[this.name];
  }

  write(reply: FastifyReply, token: string) {
    reply.setCookie(this.name, token, { ...this.#attributes, maxAge: SESSION_SECONDS });
  }

  clear(reply: FastifyReply) {
    reply.clearCookie(this.name, this.#attributes);
  }

  get #attributes() {
    return { path: "/", httpOnly: true, sameSite: "lax", secure: this.#isSecure } as const;
  }
}
