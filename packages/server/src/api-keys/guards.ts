import type { FastifyRequest } from "fastify";
import type { SessionGuard } from "../auth/require-session.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { readBearer } from "../http/request/read-bearer.ts";
import type { WorkspaceRate } from "../http/workspace-rate.ts";
import { requireSlug } from "../workspaces/find-workspace.ts";
import { memberOf } from "../workspaces/require-member.ts";
import { memberCredential } from "./credential-watch.ts";
import { findKeyOwner } from "./find-key-owner.ts";
import { KEY_PREFIX } from "./key-format.ts";
import { requireScope } from "./require-scope.ts";

/** Who makes a request, for which workspace, and the credential that CredentialWatch observes. */
export interface Caller {
  workspaceId: WorkspaceId;
  credentialId: string;
  /** Whether the caller may write verdicts: a member who may do more than view, or a key with the scope review of such a member. */
  canReview: boolean;
  /** Undefined for a key. */
  userId: UserId | undefined;
}

/** Lets everybody read one workspace, under an address of its own. */
export interface PublicReader {
  /** Whether the request is about that workspace. */
  isAsked(request: FastifyRequest): boolean;
  /** Throws if it cannot be read now. */
  admit(): Promise<Pick<Caller, "workspaceId" | "credentialId">>;
}

const NO_READER: PublicReader = {
  isAsked: () => false,
  admit: () => Promise.reject(new HttpError(404, "Not found")),
};

export const NEEDS_PERSON = "No key may do this. Sign in.";
export const READ_ONLY = "The sample is read-only.";

interface GuardOptions {
  visitors?: PublicReader;
  /** The slug in the address of a request. */
  slugOf?: (request: FastifyRequest) => string | undefined;
}

const keyCallers = new WeakMap<FastifyRequest, Caller>();

/**
 * The guards of routes. Each runs before the body is read, and throws 401 without a valid credential, 403 for an API key
 * of another scope, and 429 if the user makes too many requests.
 */
export function createGuards(
  db: Database,
  session: SessionGuard,
  requests: WorkspaceRate,
  { visitors = NO_READER, slugOf = () => undefined }: GuardOptions = {},
) {
  const admitVisitor = async (request: FastifyRequest) => {
    const caller = await visitors.admit();
    await requests.admit(caller.workspaceId);
    requests.count(caller.workspaceId, 1);
    keyCallers.set(request, { ...caller, canReview: false, userId: undefined });
  };
  const sessionOrKey = (action: "read" | "review") => async (request: FastifyRequest) => {
    if (visitors.isAsked(request)) return admitVisitor(request);
    const key = readBearer(request);
    // A proxy may send credentials of its own, so only a bearer that looks like a key is one.
    if (!key?.startsWith(KEY_PREFIX)) return session(request);
    const owner = await findKeyOwner(db, key);
    if (!owner) throw new HttpError(401, "Unauthorized");
    await requireSlug(db, owner.workspaceId, slugOf(request));
    requireScope(owner, action, request);
    await requests.admit(owner.workspaceId);
    requests.count(owner.workspaceId, 1);
    keyCallers.set(request, {
      workspaceId: owner.workspaceId,
      credentialId: owner.keyId,
      canReview: owner.rights === "review",
      userId: undefined,
    });
  };
  /** A key is told that no key may do this. */
  const person = async (request: FastifyRequest) => {
    const key = readBearer(request);
    if (!key?.startsWith(KEY_PREFIX)) return session(request);
    if (!(await findKeyOwner(db, key))) throw new HttpError(401, "Unauthorized");
    throw new HttpError(403, NEEDS_PERSON);
  };
  return {
    /** Only a signed-in user: account, billing, API keys, and all changes but verdicts. */
    session,
    /** A signed-in user, or a key with the scope read or review. */
    read: sessionOrKey("read"),
    /** A signed-in user, or a key with the scope review. */
    review: sessionOrKey("review"),
    /** Only a signed-in user, like `session`. */
    person,
  };
}

export type Guards = ReturnType<typeof createGuards>;

/** The caller of a request on a route with one of the guards. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = keyCallers.get(request);
  if (caller) return caller;
  const member = memberOf(request);
  const { workspaceId, user, role } = member;
  return {
    workspaceId,
    credentialId: memberCredential(member),
    canReview: role !== "viewer",
    userId: user.id,
  };
}
