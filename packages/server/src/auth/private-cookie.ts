import type { FastifyReply, FastifyRequest } from "fastify";

/** A cookie that scripts cannot read and that browsers do not send with cross-site requests, except for links. */
export class PrivateCookie {
  readonly name: string;
  readonly #isSecure: boolean;
  readonly #maxAgeSeconds: number;

  constructor(publicUrl: string, name: string, maxAgeSeconds: number) {
    this.#isSecure = publicUrl.startsWith("https:");
    this.name = this.#isSecure ? `__Host-${name}` : name;
    this.#maxAgeSeconds = maxAgeSeconds;
  }

  read(request: FastifyRequest): string | undefined {
    return request.cookies[this.name];
  }

  write(reply: FastifyReply, token: string) {
    reply.setCookie(this.name, token, { ...this.#attributes, maxAge: this.#maxAgeSeconds });
  }

  clear(reply: FastifyReply) {
    reply.clearCookie(this.name, this.#attributes);
  }

  get #attributes() {
    return { path: "/", httpOnly: true, sameSite: "lax", secure: this.#isSecure } as const;
  }
}
