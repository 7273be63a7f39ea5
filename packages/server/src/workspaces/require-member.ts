import { includesRole, ROLES, type Role, roleRefusal } from "@whytrace/contract";
import type { FastifyRequest } from "fastify";
import { policyBlocks, policyText } from "../auth/policy-blocks.ts";
import { keepSession, requireSession } from "../auth/require-session.ts";
import type { SessionCookie } from "../auth/session-cookie.ts";
import type { Database } from "../db/database.ts";
import { HttpError } from "../http/http-error.ts";
import type { WorkspaceRate } from "../http/workspace-rate.ts";
import type { Access } from "./access.ts";
import { findMemberSession, type MemberSession, type SessionMemberships } from "./member-session.ts";

export const WORKSPACE_NOT_FOUND = "Workspace not found";
export const SEVERAL_WORKSPACES =
  "You belong to several workspaces. Put /w/{workspace} before the path; GET /api/workspaces lists yours.";
export const NO_WORKSPACE = "You belong to no workspace. Create one, or ask for an invitation.";

const members = new WeakMap<FastifyRequest, MemberSession>();

interface RequireMemberOptions {
  db: Database;
  cookie: SessionCookie;
  requests: WorkspaceRate;
  /** The identity providers, of which a workspace may demand one. */
  providers: readonly { id: string; name: string }[];
  /** The slug in the address of the request. */
  slugOf: (request: FastifyRequest) => string | undefined;
}

/**
 * The guard of all routes with a session. It runs before the body is read. On a route about a workspace it finds out which
 * one, and throws 403 unless the user's role there is enough.
 */
export function requireMember({ db, cookie, requests, providers, slugOf }: RequireMemberOptions) {
  const requirePerson = requireSession(db, cookie, requests);
  return async (request: FastifyRequest) => {
    const { access } = request.routeOptions.config;
    if (access === "person" || access === "page") return requirePerson(request);
    if (!isRole(access)) throw new Error(`No role in the table of routes for ${request.routeOptions.url}`);
    const token = cookie.read(request);
    const slug = slugOf(request);
    const found = token === undefined ? undefined : await findMemberSession(db, token, slug);
    if (!found) throw new HttpError(401, "Unauthorized");
    const { policy, ...member } = chooseWorkspace(found, slug !== undefined);
    const block = policyBlocks(policy, member.signIn);
    const provider = providers.find(({ id }) => id === policy.ssoProvider);
    if (block)
      throw new HttpError(403, policyText(block, policy, provider?.name ?? policy.ssoProvider ?? ""));
    requireRole(member.role, access);
    await requests.admit(member.workspaceId);
    requests.count(member.workspaceId, 1);
    keepSession(request, member);
    members.set(request, member);
  };
}

/** Nothing is guessed for several workspaces: that would be a write in the wrong place. */
function chooseWorkspace({ session, memberships }: SessionMemberships, isNamed: boolean) {
  const [membership, ...more] = memberships;
  if (membership && more.length === 0) return { ...session, ...membership };
  if (isNamed) throw new HttpError(404, WORKSPACE_NOT_FOUND);
  throw membership ? new HttpError(400, SEVERAL_WORKSPACES) : new HttpError(403, NO_WORKSPACE);
}

const isRole = (access: Access | undefined): access is Role => ROLES.some((role) => role === access);

/** Throws 403 unless the role includes the one that is needed. */
export function requireRole(role: Role, needed: Role) {
  if (!includesRole(role, needed)) throw new HttpError(403, roleRefusal(role, needed));
}

/** Error texts for the API reference. */
export const roleErrors = (needed: Role): string[] =>
  ROLES.filter((role) => !includesRole(role, needed)).map((role) => roleRefusal(role, needed));

/** The member who makes a request, on a route about a workspace with the guard. */
export function memberOf(request: FastifyRequest): MemberSession {
  const member = members.get(request);
  if (!member) throw new Error(`No session guard of a workspace on ${request.routeOptions.url}`);
  return member;
}
