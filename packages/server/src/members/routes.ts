import {
  changedRole,
  memberList,
  memberRole,
  removalQuery,
  removedMember,
} from "@whytrace/contract/schemas/workspaces/workspaces";
import { z } from "zod";
import { originOf } from "../auth/origin-of.ts";
import { CONFIRM, requireConfirmed } from "../auth/require-confirmed.ts";
import type { SessionGuard } from "../auth/require-session.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { App } from "../http/app-instance.ts";
import { NEEDS_OWNER } from "../workspaces/memberships.ts";
import { memberOf } from "../workspaces/require-member.ts";
import { changeRole, ONLY_OWNER_CHANGES } from "./change-role.ts";
import { listMembers } from "./list-members.ts";
import { INVALID_ROLE, ONLY_OWNER_MAKES, parseRole } from "./parse-role.ts";
import { MEMBER_NOT_FOUND } from "./read-member.ts";
import { INVALID_KEYS, ONLY_OWNER_REMOVES, parseRemovedKeys, removeMember } from "./remove-member.ts";

const params = z.object({ userId: z.string() });

/** Ends what a person has in a workspace, after their leaving has committed. `by`: who removed them. Never throws. */
type OnLeft = (workspaceId: WorkspaceId, left: { userId: string; by: string }) => Promise<void>;

interface MemberRoutesOptions {
  db: Database;
  guard: SessionGuard;
  onLeft: OnLeft;
}

/** Who belongs to a workspace. */
export function memberRoutes(app: App, { db, guard, onLeft }: MemberRoutesOptions) {
  const onRequest = guard;
  const tags = ["Members"];

  app.get(
    "/api/members",
    {
      onRequest,
      schema: {
        tags,
        summary: "List the members of the workspace",
        description: "Admins and owners also see `lastSeenAt` and `hasSecondFactor`.",
        response: { 200: memberList },
      },
    },
    async (request) => ({ members: await listMembers(db, memberOf(request)) }),
  );

  app.patch(
    "/api/members/:userId",
    {
      onRequest,
      schema: {
        tags,
        summary: "Change the role of a member",
        params,
        body: changedRole,
        response: { 200: memberRole },
        errors: {
          400: [INVALID_ROLE],
          403: [ONLY_OWNER_CHANGES, ONLY_OWNER_MAKES, CONFIRM],
          404: [MEMBER_NOT_FOUND],
          409: [NEEDS_OWNER],
        },
      },
    },
    async (request) => {
      const member = memberOf(request);
      const { userId } = request.params;
      const role = parseRole(request.body.role);
      if (role === "owner" && member.role === "owner") await requireConfirmed(request);
      await changeRole(db, member, { userId, role }, originOf(request));
      return { userId, role };
    },
  );

  app.delete(
    "/api/members/:userId",
    {
      onRequest,
      schema: {
        tags,
        summary: "Remove a member, or leave",
        description:
          "Counts from the next request on. Admins and owners remove others; everybody may leave, but for the last owner.",
        params,
        querystring: removalQuery,
        response: { 200: removedMember },
        errors: {
          400: [INVALID_KEYS],
          403: [ONLY_OWNER_REMOVES],
          404: [MEMBER_NOT_FOUND],
          409: [NEEDS_OWNER],
        },
      },
    },
    async (request) => {
      const keys = parseRemovedKeys(request.query.keys);
      const { userId } = request.params;
      const member = memberOf(request);
      const keysRevoked = await removeMember(db, member, { userId, keys }, originOf(request));
      await onLeft(member.workspaceId, { userId, by: member.user.id });
      return { success: true as const, keysRevoked };
    },
  );
}
