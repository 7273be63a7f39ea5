import type { IncomingMessage } from "node:http";

const PREFIX = /^\/w\/([^/?]*)(?=[/?]|$)/;

/** The prefix `/w/{slug}` of paths, which names a workspace. It is taken off before routing, once. */
export class WorkspacePrefix {
  readonly #slugs = new WeakMap<object, string>();

  /** Fastify's `rewriteUrl`. */
  rewrite(request: Pick<IncomingMessage, "url">): string {
    const { url = "/" } = request;
    const [prefix, slug] = PREFIX.exec(url) ?? [];
    if (prefix === undefined || slug === undefined) return url;
    this.#slugs.set(request, slug);
    const rest = url.slice(prefix.length);
    return rest.startsWith("/") ? rest : `/${rest}`;
  }

  /** What stands in the place of the slug; undefined without the prefix. */
  slugOf({ raw }: { raw: object }): string | undefined {
    return this.#slugs.get(raw);
  }
}
