import type { FastifyRequest } from "fastify";
import type { Database } from "../db/database.ts";
import { HttpError } from "../http/http-error.ts";
import type { WorkspaceRate } from "../http/workspace-rate.ts";
import type { SessionCookie } from "./session-cookie.ts";
import { type CurrentSession, findSession } from "./sessions.ts";

const sessions = new WeakMap<FastifyRequest, CurrentSession>();

/**
 * A guard of routes about a person. It runs before the body is read and throws 401 unless the cookie belongs to an active
 * session, and 429 if its user sends too many requests.
 */
export function requireSession(db: Database, cookie: SessionCookie, requests: WorkspaceRate) {
  return async (request: FastifyRequest) => {
    const token = cookie.read(request);
    const session = token === undefined ? undefined : await findSession(db, token);
    if (!session) throw new HttpError(401, "Unauthorized");
    await requests.admit(session.user.id);
    requests.count(session.user.id, 1);
    keepSession(request, session);
  };
}

export type SessionGuard = ReturnType<typeof requireSession>;

/** Lets `sessionOf` find it. */
export function keepSession(request: FastifyRequest, session: CurrentSession) {
  sessions.set(request, session);
}

/** The session of a request on a route with the guard. */
export function sessionOf(request: FastifyRequest): CurrentSession {
  const session = sessions.get(request);
  if (!session) throw new Error(`No session guard on ${request.routeOptions.url}`);
  return session;
}
