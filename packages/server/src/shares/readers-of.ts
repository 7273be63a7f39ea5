import type { WorkspaceId } from "../db/workspace-id.ts";

/** Those who open the links of a user have slots and memory of their own: they must not slow down the owner. */
export const readersOf = ({ workspaceId }: { workspaceId: WorkspaceId }) => `shared ${workspaceId}`;
