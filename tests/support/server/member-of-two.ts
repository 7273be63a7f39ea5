import { ROLES } from "@whytrace/contract";
import { ROUTE_ACCESS } from "../../../packages/server/src/route-access.ts";
import { type RequestOptions, SignedInUser, type TestResponse } from "./client.ts";

/** The routes about a workspace, as `GET /api/traces/…`. */
const ROUTES = Object.entries(ROUTE_ACCESS).flatMap(([route, access]) =>
  ROLES.some((role) => role === access) ? [new RegExp(`^${route.replaceAll(/:\w+/g, "[^/]+")}$`)] : [],
);

function isAboutWorkspace(method: string, path: string): boolean {
  const [plain] = path.split("?");
  const route = `${method === "HEAD" ? "GET" : method} ${plain}`;
  return ROUTES.some((one) => one.test(route));
}

/**
 * A user who belongs to two workspaces, and whose requests about a workspace name their own one. What the server finds by the
 * person instead of by the workspace is found in the wrong one, or not at all.
 */
export class MemberOfTwo extends SignedInUser {
  readonly #prefix: string;

  constructor(user: SignedInUser, prefix: string) {
    const { url, cookie, email, userId, workspaceId, verify } = user;
    super(url, cookie, { email, userId, workspaceId, verify });
    this.#prefix = prefix;
  }

  override pathOf(method: string, path: string): string {
    return isAboutWorkspace(method, path) ? this.#prefix + path : path;
  }

  override request(method: string, path: string, options: RequestOptions = {}): Promise<TestResponse> {
    // A key names its workspace itself.
    return super.request(method, options.headers?.authorization ? path : this.pathOf(method, path), options);
  }

  override at(url: string): SignedInUser {
    return new MemberOfTwo(super.at(url), this.#prefix);
  }
}
