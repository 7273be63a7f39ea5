import type { Workspace } from "@whytrace/contract";
import type { Origin } from "../audit/record-event.ts";
import type { UserId } from "../auth/user-id.ts";
import { createSubscription } from "../billing/create-subscription.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { createWorkspace, firstWorkspaceName } from "../workspaces/create-workspace.ts";

export interface NewOwner {
  id: UserId;
  email: string;
  name: string | null;
}

/** Creates a workspace of a user with its plan; without a name it is the person's first. */
export async function giveWorkspace(
  trx: Database,
  owner: NewOwner,
  { name, origin, freeSessionsPerDay }: { name?: string; origin: Origin; freeSessionsPerDay: number },
): Promise<Workspace & { id: WorkspaceId }> {
  const named = name ?? firstWorkspaceName(owner);
  const workspace = await createWorkspace(trx, { userId: owner.id, name: named, origin });
  await createSubscription(trx, workspace.id, freeSessionsPerDay);
  return workspace;
}
