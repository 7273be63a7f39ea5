import type { Session } from "@whytrace/contract";
import { api } from "../client/api.ts";
import { basePath, isSample, workspaceSlug } from "../client/base-path.ts";

const LAST_VISITED = "whytrace-workspace";

/** Loads a page of another workspace, which drops everything that this tab has read. */
export const openWorkspace = (slug: string, path = "/") => location.assign(`/w/${slug}${path}`);

/** While the browser leaves the page, nothing else is shown. */
const leave = (address: string) => {
  location.replace(address);
  return new Promise<never>(() => {});
};

/** Goes to the sign-in page, and from there back, out of the addresses of a workspace. */
export const leaveToSignIn = (path: string) =>
  leave(`/login?next=${encodeURIComponent(`${basePath}${path}`)}`);

/**
 * Puts the workspace into the address of a person with several: the one that has the trace, else the one last visited in this
 * browser. The server is never told which one that was.
 */
export async function enterWorkspace({ workspaces }: Session, path: string): Promise<void> {
  if (isSample) return;
  if (workspaceSlug !== undefined) {
    if (workspaces.some(({ slug }) => slug === workspaceSlug))
      localStorage.setItem(LAST_VISITED, workspaceSlug);
    return;
  }
  const [first, ...more] = workspaces;
  if (!first || more.length === 0) return;
  const last = workspaces.find(({ slug }) => slug === localStorage.getItem(LAST_VISITED));
  const slug = (await findWorkspaceOfTrace(path)) ?? last?.slug ?? first.slug;
  await leave(`/w/${slug}${path}`);
}

async function findWorkspaceOfTrace(path: string): Promise<string | undefined> {
  const [, id] = /^\/traces\/([^/?#]+)/.exec(path) ?? [];
  if (id === undefined) return undefined;
  return api("GET /api/traces/:id/workspace", { params: { id } }).then(
    ({ workspace }) => workspace.slug,
    () => undefined,
  );
}
