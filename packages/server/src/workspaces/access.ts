import type { Role } from "@whytrace/contract";

/**
 * What a route is about. Of a workspace: the role that a signed-in member needs. Such a path may start with `/w/{slug}`.
 *   - person: about the signed-in user.
 *   - nobody: about neither, or found by a secret.
 *   - key: about the workspace of an API key alone.
 *   - page: the dashboard's file, the same for all signed-in users. Its path may start with `/w/{slug}`.
 */
export type Access = Role | "person" | "nobody" | "key" | "page";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Undefined only if the table of routes has no row. */
    access?: Access | undefined;
  }
}
