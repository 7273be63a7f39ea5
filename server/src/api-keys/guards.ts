import type { FastifyRequest } from "fastify";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { readBearer } from "../http/request/read-bearer.ts";
import type { WorkspaceRate } from "../http/workspace-rate.ts";
import { findKeyOwner } from "./find-key-owner.ts";
import { KEY_PREFIX } from "./key-format.ts";
import { requireScope } from "./require-scope.ts";

/** Who makes a request: the user, and the session or API key that CredentialWatch observes. */
export interface Caller {
  workspaceId: WorkspaceId;
  credentialId: string;
  /** Whether the caller may write verdicts: a signed-in user, or a key with the scope review. */
  canReview: boolean;
}

const keyCallers = new WeakMap<FastifyRequest, Caller>();

/**
 * The guards of routes. Each runs before the body is read, and throws 401 without a valid credential, 403 for an API key
 * of another scope, and 429 if the user makes too many requests.
 */
export function createGuards(db: Database, session: SessionGuard, requests: WorkspaceRate) {
  const sessionOrKey = (action: "read" | "review") => async (request: FastifyRequest) => {
    const key = readBearer(request);
    // A proxy may send credentials of its own, so only a bearer that looks like a key is one.
    if (!key?.startsWith(KEY_PREFIX)) return session(request);
    const owner = await findKeyOwner(db, key);
    if (!owner) throw new HttpError(401, "Unauthorized");
    requireScope(owner.scope, action, request);
    await requests.admit(owner.workspaceId);
    requests.count(owner.workspaceId, 1);
    keyCallers.set(request, {
      workspaceId: owner.workspaceId,
      credentialId: owner.keyId,
      canReview: owner.scope === "review",
    });
  };
  return {
    /** Only a signed-in user: account, billing, API keys, and all changes but verdicts. */
    session,
    /** A signed-in user, or a key with the scope read or review. */
    read: sessionOrKey("read"),
    /** A signed-in user, or a key with the scope review. */
    review: sessionOrKey("review"),
  };
}

export type Guards = ReturnType<typeof createGuards>;

/** The caller of a request on a route with one of the guards. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = keyCallers.get(request);
  if (caller) return caller;
  const { id, workspaceId } = sessionOf(request);
  return { workspaceId, credentialId: id, canReview: true };
}
