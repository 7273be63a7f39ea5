import type { IncomingMessage } from "node:http";

/** A prefix of paths that is taken off before routing, once: what is below it are the same routes, for somebody else. */
export class PathPrefix {
  readonly #prefix: string;
  readonly #requests = new WeakSet<object>();

  /** `prefix` has no slash at its end. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Fastify's `rewriteUrl`. */
  rewrite(request: Pick<IncomingMessage, "url">): string {
    const { url = "/" } = request;
    const rest = url.slice(this.#prefix.length);
    if (!url.startsWith(this.#prefix) || !/^([/?]|$)/.test(rest)) return url;
    this.#requests.add(request);
    return rest.startsWith("/") ? rest : `/${rest}`;
  }

  /** Whether the request came with the prefix. */
  isOf({ raw }: { raw: object }): boolean {
    return this.#requests.has(raw);
  }
}
