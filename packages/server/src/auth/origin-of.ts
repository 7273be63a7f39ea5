import type { FastifyRequest } from "fastify";
import type { Origin } from "../audit/record-event.ts";
import { sessionOf } from "./require-session.ts";
import type { SessionUser } from "./sessions.ts";

/** Who makes a request with a session, and from where, for the audit log. */
export const originOf = (request: FastifyRequest): Origin => originAs(request, sessionOf(request).user);

type Addressed = Pick<FastifyRequest, "ip" | "headers">;

/** The same of a request that has no session yet. */
export const originAs = (request: Addressed, { id, email }: Pick<SessionUser, "id" | "email">): Origin => ({
  actor: { kind: "user", id, name: email },
  ...placeOf(request),
});

/** From where a request comes. */
export const placeOf = ({ ip, headers }: Addressed): Pick<Origin, "ip" | "userAgent"> => ({
  ip,
  userAgent: headers["user-agent"] ?? null,
});
