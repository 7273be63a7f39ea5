import type { Workspace } from "@whytrace/contract";
import { workspaceSlug } from "./base-path.ts";
import { useSession } from "./session.ts";

/** The workspace of this tab. Without one in the address, the person belongs to one alone. */
export function useWorkspace(): Workspace {
  const { workspaces } = useSession();
  const workspace = workspaces.find(({ slug }) => slug === workspaceSlug) ?? workspaces[0];
  if (!workspace) throw new Error("No workspace");
  return workspace;
}
